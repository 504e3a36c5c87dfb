import { useInfiniteQuery } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { trpc } from '../trpc.ts';
import { pendingRemovalsAtom, pendingTitlesAtom, withPending } from './pending.ts';
import { PAGE } from './use-change-list.ts';

/** The loaded convos, newest first, and the query they come from. The feed keeps them fresh, so time does not. */
export function useConvos() {
  const { client } = trpc.useUtils();
  // Not through the hook of the same name in tRPC, which adds a `direction` to the input that the server refuses.
  const list = useInfiniteQuery({
    queryKey: getQueryKey(trpc.convos.list, PAGE, 'infinite'),
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      client.convos.list.query({ ...PAGE, cursor: pageParam }, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: Infinity,
  });
  const titles = useAtomValue(pendingTitlesAtom);
  const removals = useAtomValue(pendingRemovalsAtom);
  const convos = useMemo(
    () => withPending(list.data?.pages.flatMap((page) => page.convos) ?? [], titles, removals),
    [list.data, titles, removals],
  );
  return { convos, list };
}
