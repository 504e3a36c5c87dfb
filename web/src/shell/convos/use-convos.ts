import { useInfiniteQuery } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import type { Convo } from '@parley/schema/convos';
import { trpc } from '../../trpc.ts';
import { ARCHIVE_PAGE, isListed, PAGE } from './convo-lists.ts';
import { pendingRemovalsAtom, pendingTitlesAtom, withPending } from './pending.ts';

/** The loaded convos, newest first, and the query they come from. The feed keeps them fresh, so time does not. */
export function useConvos() {
  const list = useConvoPages(PAGE);
  // A server may well list the pinned ones among the others, where they were before they were pinned.
  return { convos: usePending(useMemo(() => convosOf(list.data).filter(isListed), [list.data])), list };
}

/** The archived convos in the same way. */
export function useArchivedConvos() {
  const list = useConvoPages(ARCHIVE_PAGE);
  return { convos: usePending(useMemo(() => convosOf(list.data), [list.data])), list };
}

/** The pinned convos, newest first; none until they are known. */
export function usePinnedConvos(): Convo[] {
  const { data } = trpc.convos.pinned.useQuery(undefined, { staleTime: Infinity });
  return usePending(data ?? NONE);
}

const NONE: Convo[] = [];

function useConvoPages(page: typeof PAGE | typeof ARCHIVE_PAGE) {
  const { client } = trpc.useUtils();
  // Not through the hook of the same name in tRPC, which adds a `direction` to the input that the server refuses.
  return useInfiniteQuery({
    queryKey: getQueryKey(trpc.convos.list, page, 'infinite'),
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      client.convos.list.query({ ...page, cursor: pageParam }, { signal }),
    initialPageParam: null,
    getNextPageParam: (answer) => answer.nextCursor,
    staleTime: Infinity,
  });
}

function convosOf(data: { pages: { convos: Convo[] }[] } | undefined): Convo[] {
  return data?.pages.flatMap((page) => page.convos) ?? NONE;
}

/** The convos as they will be once this tab's pending renames and removals have come true. */
export function usePending(convos: Convo[]): Convo[] {
  const titles = useAtomValue(pendingTitlesAtom);
  const removals = useAtomValue(pendingRemovalsAtom);
  return useMemo(() => withPending(convos, titles, removals), [convos, titles, removals]);
}
