import { useQueryClient, type InfiniteData, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { atom, useStore } from 'jotai';
import { useCallback, useEffect } from 'react';
import type { Convo } from '@parley/schema/convos';
import { trpc } from '../../trpc.ts';
import { applyChange, type Belongs, type ConvoPage, type ListChange } from './apply-change.ts';
import { applyToPinned, ARCHIVE_PAGE, isArchived, isListed, PAGE } from './convo-lists.ts';

/**
 * Changes that came while a list was on its way, by the key of its query. The answer replaces the list they were applied
 * to, and may have been read before them: they are applied once more when it is there.
 */
const heldAtom = atom<ReadonlyMap<string, readonly ListChange[]>>(new Map());

export interface KeptList {
  key: QueryKey;
  apply: (client: QueryClient, key: QueryKey, changes: readonly ListChange[]) => void;
}

/** The lists that changes are applied to. A room that comes later adds its own. */
export const keptLists: KeptList[] = [
  { key: getQueryKey(trpc.convos.list, PAGE, 'infinite'), apply: toPages(isListed) },
  { key: getQueryKey(trpc.convos.list, ARCHIVE_PAGE, 'infinite'), apply: toPages(isArchived) },
  { key: getQueryKey(trpc.convos.pinned, undefined, 'query'), apply: toPinned },
];

/** Returns a function that applies changes, in their order, to the cached lists and to the cached convos. */
export function useChangeList(): (changes: readonly ListChange[]) => void {
  const client = useQueryClient();
  const store = useStore();
  const utils = trpc.useUtils();
  return useCallback(
    (changes) => {
      for (const change of changes) {
        if (change.type !== 'convo') continue;
        const { convo } = change;
        utils.convos.byId.setData({ conversationId: convo.conversationId }, (known) => known && newerOf(known, convo));
      }
      for (const { key, apply } of keptLists) {
        apply(client, key, changes);
        if (client.isFetching({ queryKey: key, exact: true }) > 0) {
          const hash = JSON.stringify(key);
          store.set(heldAtom, (held) => new Map(held).set(hash, [...(held.get(hash) ?? []), ...changes]));
        }
      }
    },
    [client, store, utils],
  );
}

/** Applies again what was held for a list, as soon as the list is there. One per signed-in tab. */
export function useReplayHeld(): void {
  const client = useQueryClient();
  const store = useStore();
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action, query } = event;
        const isAnswer = action.type === 'success' && !action.manual;
        const hash = JSON.stringify(query.queryKey);
        const held = store.get(heldAtom).get(hash);
        if (!held || (!isAnswer && action.type !== 'error')) return;
        store.set(heldAtom, (before) => new Map([...before].filter(([key]) => key !== hash)));
        if (isAnswer) keptLists.find(({ key }) => JSON.stringify(key) === hash)?.apply(client, query.queryKey, held);
      }),
    [client, store],
  );
}

/** The end of an exchange is known from its reading, too, and the feed may lag behind it. */
function newerOf(known: Convo, told: Convo): Convo {
  return told.messagesSeq < known.messagesSeq ? known : told;
}

function toPages(belongs: Belongs): KeptList['apply'] {
  return (client, key, changes) => {
    client.setQueryData<InfiniteData<ConvoPage>>(
      key,
      (data) =>
        data && {
          ...data,
          pages: changes.reduce((pages, change) => applyChange(pages, change, belongs), data.pages),
        },
    );
  };
}

function toPinned(client: QueryClient, key: QueryKey, changes: readonly ListChange[]): void {
  client.setQueryData<Convo[]>(key, (pinned) => pinned && changes.reduce(applyToPinned, pinned));
}
