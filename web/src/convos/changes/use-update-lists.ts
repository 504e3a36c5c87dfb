import { useQueryClient, type InfiniteData, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useStore } from 'jotai';
import { useCallback, useEffect } from 'react';
import type { Convo } from '@parley/schema/convos/convos';
import { personalAtom } from '../../lib/personal-data.ts';
import { trpc } from '../../trpc.ts';
import { applyChange, type Belongs, type ConvoPage, type ListChange } from './apply-change.ts';
import { applyToPinned, ARCHIVE_PAGE, isArchived, isListed, PAGE } from '../convo-lists.ts';

/**
 * Changes that arrive during a list's fetch, by query key. The response replaces the list they were applied to and may
 * predate them, so they are applied again after it.
 */
const deferredChangesAtom = personalAtom<ReadonlyMap<string, readonly ListChange[]>>(() => new Map());

export interface CachedList {
  key: QueryKey;
  apply: (client: QueryClient, key: QueryKey, changes: readonly ListChange[]) => void;
}

/** The lists that changes apply to. Other features add theirs. */
export const cachedLists: CachedList[] = [
  { key: getQueryKey(trpc.convos.list, PAGE, 'infinite'), apply: toPages(isListed) },
  { key: getQueryKey(trpc.convos.list, ARCHIVE_PAGE, 'infinite'), apply: toPages(isArchived) },
  { key: getQueryKey(trpc.convos.pinned, undefined, 'query'), apply: toPinned },
];

/** Returns a function that applies changes, in order, to the cached lists and convos. */
export function useUpdateLists(): (changes: readonly ListChange[]) => void {
  const client = useQueryClient();
  const store = useStore();
  const utils = trpc.useUtils();
  return useCallback(
    (changes) => {
      for (const change of changes) {
        if (change.type !== 'convo') continue;
        const { convo } = change;
        utils.convos.byId.setData({ conversationId: convo.conversationId }, (known) => known && convo);
      }
      for (const { key, apply } of cachedLists) {
        apply(client, key, changes);
        if (client.isFetching({ queryKey: key, exact: true }) > 0) {
          const hash = JSON.stringify(key);
          store.set(deferredChangesAtom, (held) => new Map(held).set(hash, [...(held.get(hash) ?? []), ...changes]));
        }
      }
    },
    [client, store, utils],
  );
}

/** Applies a list's deferred changes again as soon as it has loaded. One per signed-in tab. */
export function useReplayDeferred(): void {
  const client = useQueryClient();
  const store = useStore();
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action, query } = event;
        const isAnswer = action.type === 'success' && !action.manual;
        const hash = JSON.stringify(query.queryKey);
        const held = store.get(deferredChangesAtom).get(hash);
        if (!held || (!isAnswer && action.type !== 'error')) return;
        store.set(deferredChangesAtom, (before) => new Map([...before].filter(([key]) => key !== hash)));
        if (isAnswer) cachedLists.find(({ key }) => JSON.stringify(key) === hash)?.apply(client, query.queryKey, held);
      }),
    [client, store],
  );
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

function toPinned(client: QueryClient, key: QueryKey, changes: readonly ListChange[]): void {
  client.setQueryData<Convo[]>(key, (pinned) => pinned && changes.reduce(applyToPinned, pinned));
}
