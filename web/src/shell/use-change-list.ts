import { useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { atom, useSetAtom, useStore } from 'jotai';
import { useCallback, useLayoutEffect } from 'react';
import { trpc } from '../trpc.ts';
import { applyChange, type ListChange } from './apply-change.ts';

/** What the sidebar asks for at a time. Every reader of the list has to say the same to read the same cache. */
export const PAGE = { limit: 50 };

/**
 * Changes that came while a page was on its way. The answer replaces the list they were applied to, and may have been
 * read before them: they are applied once more when it is there.
 */
const heldAtom = atom<ListChange[]>([]);

/** Returns a function that applies a change to the cached list and to the cached convo. */
export function useChangeList(): (change: ListChange) => void {
  const client = useQueryClient();
  const utils = trpc.useUtils();
  const hold = useSetAtom(heldAtom);
  return useCallback(
    (change) => {
      if (change.type === 'reset') void utils.convos.invalidate();
      if (change.type === 'convo') {
        utils.convos.byId.setData({ conversationId: change.convo.conversationId }, (known) => known && change.convo);
      }
      utils.convos.list.setInfiniteData(PAGE, (data) => data && { ...data, pages: applyChange(data.pages, change) });
      if (client.isFetching({ queryKey: getQueryKey(trpc.convos.list) }) > 0) hold((held) => [...held, change]);
    },
    [client, utils, hold],
  );
}

/** Applies again what was held while the list was on its way. For the one component that shows the list. */
export function useReplayHeld(isFetching: boolean): void {
  const store = useStore();
  const change = useChangeList();
  useLayoutEffect(() => {
    if (isFetching) return;
    const held = store.get(heldAtom).filter((one) => one.type !== 'reset');
    if (held.length === 0) return;
    store.set(heldAtom, []);
    for (const one of held) change(one);
  }, [isFetching, store, change]);
}
