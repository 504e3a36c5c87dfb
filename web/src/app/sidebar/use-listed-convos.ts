import type { Convo } from '@parley/schema/convos/convos';
import { useMemo } from 'react';
import { useSearchQuery } from '../../search/search-address.ts';
import { useSearchResults } from '../../search/use-search-results.ts';
import { trpc } from '../../trpc.ts';
import { SELECTION_MAX } from '../../convos/selection.ts';
import { useConvos, usePending, usePinnedConvos } from '../../convos/use-convos.ts';
import { useSidebar } from '../../layout/use-sidebar.ts';

const NONE: Convo[] = [];

/** The ids of all listed conversations, loaded or not, up to the limit of a selection. */
export type ReadIds = () => Promise<{ conversationIds: string[]; isAll: boolean }>;

/**
 * The conversations of the sidebar, newest first: all of them or, once a search has results, its matches. A drawer
 * lists all, because it has no search box.
 */
export function useListedConvos() {
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
  const searchedFor = useSearchQuery()?.trim() ?? '';
  const query = isDrawer ? '' : searchedFor;
  const { groups, found: list } = useSearchResults(query);
  const convos = usePending(useMemo(() => newestFirst(groups.map(({ convo }) => convo)), [groups]));

  const readIds: ReadIds = async () => {
    let { data, hasNextPage } = list;
    while (hasNextPage && (data?.pages.reduce((count, page) => count + page.groups.length, 0) ?? 0) < SELECTION_MAX)
      ({ data, hasNextPage } = await list.fetchNextPage({ throwOnError: true }));
    const ids = data?.pages.flatMap((page) => page.groups.map(({ convo }) => convo.conversationId)) ?? [];
    return { conversationIds: ids.slice(0, SELECTION_MAX), isAll: !hasNextPage && ids.length <= SELECTION_MAX };
  };

  return { isThere: query !== '' && list.isSuccess, convos, list, readIds };
}

function newestFirst(convos: Convo[]): Convo[] {
  return convos.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
}
