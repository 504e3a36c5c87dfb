import { keepPreviousData, useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import type { SearchPage } from '@parley/schema/search/search';
import { pendingRemovalsAtom } from '../convos/pending-changes.ts';
import { cachedLists } from '../convos/changes/use-update-lists.ts';
import { trpc } from '../trpc.ts';
import { applyChangeToResults } from './apply-change-to-results.ts';

/** Conversations per page of results. */
const PAGE = { limit: 25 };

cachedLists.push({
  key: getQueryKey(trpc.convos.search),
  apply: (client, queryKey, changes) =>
    client.setQueriesData<InfiniteData<SearchPage>>(
      { queryKey },
      (data) => data && { ...data, pages: changes.reduce(applyChangeToResults, data.pages) },
    ),
});

/** The results, in pages; keeps those of the previous query until the new ones arrive. */
export function useSearchResults(query: string) {
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
