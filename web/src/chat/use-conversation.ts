import type { Convo } from '@parley/schema/convos';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { atom, useAtomValue } from 'jotai';
import { useEffect, useMemo } from 'react';
import { reasonOf } from '../lib/reason-of.ts';
import { trpc } from '../trpc.ts';
import { exchangesAtom, isRunning, type Exchange, type RunningExchange } from './exchanges/exchange.ts';
import { useRoom } from './room-context.tsx';
import type { Slot } from './slot.ts';
import { EMPTY_THREAD, type StoredThread } from './thread/stored-thread.ts';
import { threadQuery } from './thread/thread-cache.ts';

export type Loading =
  | { status: 'loading' }
  /** The server knows no such conversation, and nothing is on its way to it. */
  | { status: 'missing' }
  | { status: 'failed'; error: unknown; retry: () => void }
  | { status: 'ready' };

export interface Conversation {
  loading: Loading;
  /** Undefined for a new chat, and while it is not loaded. */
  convo: Convo | undefined;
  /** What is stored and was loaded. */
  stored: StoredThread;
  /** What is under way or failed here, oldest first. */
  exchanges: readonly Exchange[];
  running: RunningExchange | undefined;
  /** The generation that writes in it, started here or elsewhere; null when none does. */
  generationId: string | null;
}

/** All that is known of the conversation in a slot, kept up to date. */
export function useConversation(slot: Slot): Conversation {
  const { conversationId } = slot;
  // What is read stays true because changes are pushed; nothing is read again for having become old.
  const options = { enabled: !slot.isFresh, staleTime: Infinity };
  const convo = trpc.convos.byId.useQuery({ conversationId }, options);
  const client = useQueryClient();
  const thread = useQuery({ ...threadQuery(client, conversationId), ...options });
  const exchanges = useExchangesOf(conversationId);
  const running = exchanges.find(isRunning);
  useFollowing(convo.data, thread.data);

  const error = thread.error ?? (thread.data ? null : convo.error);
  const retry = () => void Promise.all([convo, thread].map((query) => query.isError && query.refetch()));
  return {
    loading: loadingOf(slot.isFresh || thread.data !== undefined, error, exchanges, retry),
    convo: convo.data,
    stored: thread.data ?? EMPTY_THREAD,
    exchanges,
    running,
    generationId: running?.generationId ?? convo.data?.running ?? null,
  };
}

function useExchangesOf(conversationId: string): readonly Exchange[] {
  const exchanges = useMemo(
    () =>
      atom((get) =>
        [...get(exchangesAtom).values()]
          .filter((atoms) => atoms.conversationId === conversationId)
          .map((atoms) => get(atoms.exchange)),
      ),
    [conversationId],
  );
  return useAtomValue(exchanges);
}

/** Reads along when something else than this page is having it answered. */
function useFollowing(convo: Convo | undefined, stored: StoredThread | undefined): void {
  const { exchanges } = useRoom();
  const running = convo?.running;
  useEffect(() => {
    if (!convo || !running || !stored) return;
    const reply = stored.bodies.get(stored.runningReply ?? '');
    const request = stored.bodies.get(reply?.parentMessageId ?? '');
    const known = reply?.generationId === running && request ? { request, reply } : undefined;
    exchanges.follow(running, convo.conversationId, known);
  }, [exchanges, convo, running, stored]);
}

function loadingOf(isLoaded: boolean, error: unknown, exchanges: readonly Exchange[], retry: () => void): Loading {
  if (isLoaded) return { status: 'ready' };
  if (!error) return { status: 'loading' };
  const isMissing = reasonOf(error)?.type === 'not_found' || reasonOf(error)?.type === 'invalid_input';
  if (!isMissing) return { status: 'failed', error, retry };
  return exchanges.length > 0 ? { status: 'ready' } : { status: 'missing' };
}
