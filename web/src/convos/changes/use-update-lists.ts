import { useQueryClient, type InfiniteData, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { getMutationKey, getQueryKey } from '@trpc/react-query';
import { useStore } from 'jotai';
import { useCallback, useEffect } from 'react';
import type { Convo } from '@parley/schema/convos/convos';
import { personalAtom } from '../../lib/personal-data.ts';
import { trpc } from '../../trpc.ts';
import { applyChange, type Belongs, type ConvoPage, type ListChange } from './apply-change.ts';
import { applyToPinned, ARCHIVE_PAGE, isArchived, isListed, PAGE } from '../convo-lists.ts';

export interface CachedList {
  /** Of one query, or the beginning of the keys of several. */
  key: QueryKey;
  apply: (client: QueryClient, key: QueryKey, changes: readonly ListChange[]) => void;
}

/** The lists that changes apply to, and the conversations that are known one by one. Other features add theirs. */
export const cachedLists: CachedList[] = [
  { key: getQueryKey(trpc.convos.byId), apply: toSingles },
  { key: getQueryKey(trpc.convos.list, PAGE, 'infinite'), apply: toPages(isListed) },
  { key: getQueryKey(trpc.convos.list, ARCHIVE_PAGE, 'infinite'), apply: toPages(isArchived) },
  { key: getQueryKey(trpc.convos.pinned, undefined, 'query'), apply: toPinned },
];

interface Deferred {
  apply: CachedList['apply'];
  changes: readonly ListChange[];
}

/**
 * Changes that arrive during a fetch, by the hash of its query. The response replaces what they were applied to and may
 * predate them, so they are applied again after it.
 */
const deferredChangesAtom = personalAtom<ReadonlyMap<string, Deferred>>(() => new Map());

/** Returns a function that applies changes, in order, to the cached lists and convos. */
export function useUpdateLists(): (changes: readonly ListChange[]) => void {
  const client = useQueryClient();
  const store = useStore();
  return useCallback(
    (changes) => {
      for (const { key, apply } of cachedLists) {
        apply(client, key, changes);
        for (const { queryHash } of client.getQueryCache().findAll({ queryKey: key, fetchStatus: 'fetching' })) {
          const { changes: earlier = [] } = store.get(deferredChangesAtom).get(queryHash) ?? {};
          const deferred = { apply, changes: [...earlier, ...changes] };
          store.set(deferredChangesAtom, (held) => new Map(held).set(queryHash, deferred));
        }
      }
    },
    [client, store],
  );
}

/** Applies deferred changes again as soon as what they apply to has loaded. One per signed-in tab. */
export function useReplayDeferred(): void {
  const client = useQueryClient();
  const store = useStore();
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action, query } = event;
        const isAnswer = action.type === 'success' && !action.manual;
        const held = store.get(deferredChangesAtom).get(query.queryHash);
        if (!held || (!isAnswer && action.type !== 'error')) return;
        store.set(deferredChangesAtom, (before) => new Map([...before].filter(([hash]) => hash !== query.queryHash)));
        if (isAnswer) held.apply(client, query.queryKey, held.changes);
      }),
    [client, store],
  );
}

/** Replaces the conversations below `queryKey` that have changed. */
function toSingles(client: QueryClient, queryKey: QueryKey, changes: readonly ListChange[]): void {
  const changed = new Map(
    changes.flatMap((one) => (one.type === 'convo' ? [[one.convo.conversationId, one.convo]] : [])),
  );
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const known = query.state.data as Convo | undefined;
    const convo = known && changed.get(known.conversationId);
    if (convo) client.setQueryData(query.queryKey, convo);
  }
}

/** Applies changes to a list in pages. */
export function toPages(belongs: Belongs): CachedList['apply'] {
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

/** While an order is being saved that was chosen here, no other changes it: the list is read again when it is saved. */
function toPinned(client: QueryClient, key: QueryKey, changes: readonly ListChange[]): void {
  const isArranging = client.isMutating({ mutationKey: getMutationKey(trpc.convos.arrangePins) }) > 0;
  client.setQueryData<Convo[]>(
    key,
    (pinned) =>
      pinned &&
      changes.reduce((list, change) => applyToPinned(list, isArranging ? withPlaceIn(list, change) : change), pinned),
  );
}

function withPlaceIn(pinned: readonly Convo[], change: ListChange): ListChange {
  if (change.type !== 'convo') return change;
  const known = pinned.find((one) => one.conversationId === change.convo.conversationId);
  return known?.pinPosition === undefined
    ? change
    : { ...change, convo: { ...change.convo, pinPosition: known.pinPosition } };
}
