import { keepPreviousData, useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import type { SearchPage } from '@parley/schema/search';
import { pendingRemovalsAtom } from '../shell/convos/pending.ts';
import { keptLists } from '../shell/convos/use-change-list.ts';
import { trpc } from '../trpc.ts';
import { applyToFound } from './apply-to-found.ts';

/** Conversations on a page of results. */
const PAGE = { limit: 25 };

keptLists.push({
  key: getQueryKey(trpc.convos.search),
  apply: (client, queryKey, changes) =>
    client.setQueriesData<InfiniteData<SearchPage>>(
      { queryKey },
      (data) => data && { ...data, pages: changes.reduce(applyToFound, data.pages) },
    ),
});

/** What was found, in pages; of the query before while that of the new one is on its way. */
export function useFound(query: string) {
  const { client } = trpc.useUtils();
  const input = { ...PAGE, query };
  const found = useInfiniteQuery({
    queryKey: getQueryKey(trpc.convos.search, input, 'infinite'),
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      client.convos.search.query({ ...input, cursor: pageParam }, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    enabled: query !== '',
  });
  const removals = useAtomValue(pendingRemovalsAtom);
  const groups = useMemo(
    () =>
      (found.data?.pages ?? [])
        .flatMap((page) => page.groups)
        .filter(({ convo }) => !removals.has(convo.conversationId)),
    [found.data, removals],
  );
  return { groups, found };
}
