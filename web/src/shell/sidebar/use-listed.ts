import type { Convo } from '@parley/schema/convos';
import { useMemo } from 'react';
import { useSearchedFor } from '../../search/address.ts';
import { useFound } from '../../search/use-found.ts';
import { trpc } from '../../trpc.ts';
import { SELECTION_MAX } from '../convos/selection.ts';
import { useConvos, usePending, usePinnedConvos } from '../convos/use-convos.ts';
import { useSidebar } from './use-sidebar.ts';

const NONE: Convo[] = [];

/** The ids of everything that is listed, loaded or not; not all of them when they are more than can be selected. */
export type ReadIds = () => Promise<{ conversationIds: string[]; isAll: boolean }>;

/**
 * What the sidebar lists, newest first: all conversations or, once there is an answer, those in which the search found
 * something. A drawer lists all: the box to search in is not in it.
 */
export function useListed() {
  const { client } = trpc.useUtils();
  const { convos, list } = useConvos();
  const pinned = usePinnedConvos();
  const found = useFoundConvos();
  const isFiltered = found.isThere;
  if (isFiltered) return { pinned: NONE, ...found, isFiltered };
  return { pinned, convos, list, readIds: (() => client.convos.ids.query()) satisfies ReadIds, isFiltered };
}

function useFoundConvos() {
  const { isDrawer } = useSidebar();
  const searchedFor = useSearchedFor()?.trim() ?? '';
  const query = isDrawer ? '' : searchedFor;
  const { groups, found: list } = useFound(query);
  const convos = usePending(useMemo(() => newestFirst(groups.map(({ convo }) => convo)), [groups]));

  const readIds: ReadIds = async () => {
    let { data, hasNextPage } = list;
    while (hasNextPage && countOf(data) < SELECTION_MAX)
      ({ data, hasNextPage } = await list.fetchNextPage({ throwOnError: true }));
    const ids = data?.pages.flatMap((page) => page.groups.map(({ convo }) => convo.conversationId)) ?? [];
    return { conversationIds: ids.slice(0, SELECTION_MAX), isAll: !hasNextPage && ids.length <= SELECTION_MAX };
  };

  return { isThere: query !== '' && list.isSuccess, convos, list, readIds };
}

function countOf(data: ReturnType<typeof useFound>['found']['data']): number {
  return data?.pages.reduce((count, page) => count + page.groups.length, 0) ?? 0;
}

function newestFirst(convos: Convo[]): Convo[] {
  return convos.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
}
