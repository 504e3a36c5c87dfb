import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useCallback } from 'react';
import { trpc } from '../../trpc.ts';
import type { ConvoPage } from './apply-change.ts';

/** The number of pages to refetch: a user who has scrolled through hundreds must not cause hundreds of requests. */
const PAGES_READ_AGAIN = 2;

/** Returns a function that refetches all lists that the feed keeps in sync, because they may have missed a change. */
export function useRefreshLists(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    const lists = getQueryKey(trpc.convos.list);
    const pinned = getQueryKey(trpc.convos.pinned);
    await Promise.all([lists, pinned].map((queryKey) => client.cancelQueries({ queryKey })));
    client.setQueriesData<InfiniteData<ConvoPage>>({ queryKey: lists }, (data) => data && firstPages(data));
    const others = [trpc.presets.list, trpc.keys.list, trpc.folders.list, trpc.queue.list].map((list) =>
      getQueryKey(list),
    );
    await Promise.all([lists, pinned, ...others].map((queryKey) => client.invalidateQueries({ queryKey })));
  }, [client]);
}

function firstPages({ pages, pageParams }: InfiniteData<ConvoPage>): InfiniteData<ConvoPage> {
  return { pages: pages.slice(0, PAGES_READ_AGAIN), pageParams: pageParams.slice(0, PAGES_READ_AGAIN) };
}
