import { useInfiniteQuery } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import type { Convo } from '@parley/schema/convos/convos';
import { trpc } from '../trpc.ts';
import { ARCHIVE_PAGE, isListed, PAGE } from './convo-lists.ts';
import { firstWordsAtom, pendingRemovalsAtom, pendingTitlesAtom, withPending } from './pending-changes.ts';

/**
 * The loaded convos, newest first, and their query. The feed keeps them fresh, so they never become stale with time.
 */
export function useConvos() {
  const list = useConvoPages(PAGE);
  // The server may also list pinned convos at their date.
  return { convos: usePending(useMemo(() => loadedConvos(list.data).filter(isListed), [list.data])), list };
}

/** The archived convos in the same way. */
export function useArchivedConvos() {
  const list = useConvoPages(ARCHIVE_PAGE);
  return { convos: usePending(useMemo(() => loadedConvos(list.data), [list.data])), list };
}

/** The pinned convos, newest first; empty until loaded. */
export function usePinnedConvos(): Convo[] {
  const { data } = trpc.convos.pinned.useQuery(undefined, { staleTime: Infinity });
  return usePending(data ?? NONE);
}

const NONE: Convo[] = [];

/** The pages of one list. `page` is its query input. */
export function useConvoPages(page: { limit: number; archived?: boolean; folderId?: string | null }) {
  const { client } = trpc.useUtils();
  // Not tRPC's own hook of this name: it adds a `direction` to the input, which the server rejects.
  return useInfiniteQuery({
    queryKey: getQueryKey(trpc.convos.list, page, 'infinite'),
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      client.convos.list.query({ ...page, cursor: pageParam }, { signal }),
    initialPageParam: null,
    getNextPageParam: (response) => response.nextCursor,
    staleTime: Infinity,
  });
}

export function loadedConvos(data: { pages: { convos: Convo[] }[] } | undefined): Convo[] {
  return data?.pages.flatMap((page) => page.convos) ?? NONE;
}

/** The convos with this tab's pending renames and removals applied. */
export function usePending(convos: Convo[]): Convo[] {
  const titles = useAtomValue(pendingTitlesAtom);
  const removals = useAtomValue(pendingRemovalsAtom);
  const words = useAtomValue(firstWordsAtom);
  return useMemo(() => withPending(convos, titles, removals, words), [convos, titles, removals, words]);
}
