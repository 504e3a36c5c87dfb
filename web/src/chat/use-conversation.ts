import type { Convo } from '@parley/schema/convos/convos';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { atom, useAtomValue } from 'jotai';
import { useEffect, useMemo } from 'react';
import { errorReason } from '../errors/error-reason.ts';
import { trpc } from '../trpc.ts';
import { exchangesAtom, isRunning, type Exchange, type RunningExchange } from './exchanges/exchange.ts';
import { useChatSession } from './chat-session-context.tsx';
import type { Slot } from '../slots/slot.ts';
import { EMPTY_THREAD, type StoredThread } from './cache/stored-thread.ts';
import { threadQuery } from './cache/thread-query.ts';

export type Loading =
  | { status: 'loading' }
  /** The server has no such conversation, and no exchange is creating it. */
  | { status: 'missing' }
  | { status: 'failed'; error: unknown; retry: () => void }
  | { status: 'ready' };

export interface Conversation {
  loading: Loading;
  /** Undefined for a new chat and while loading. */
  convo: Convo | undefined;
  /** The loaded part of the stored thread. */
  stored: StoredThread;
  /** Running and failed exchanges, oldest first. */
  exchanges: readonly Exchange[];
  running: RunningExchange | undefined;
  /** The running generation, started here or elsewhere; null if none. */
  generationId: string | null;
}

/** The conversation of a slot, kept up to date. */
export function useConversation(slot: Slot): Conversation {
  const { conversationId } = slot;
  // The change feed keeps the cache up to date, so data never becomes stale by age.
  const options = { enabled: !slot.isNewChat, staleTime: Infinity };
  const convo = trpc.convos.byId.useQuery({ conversationId }, options);
  const client = useQueryClient();
  const thread = useQuery({ ...threadQuery(client, conversationId), ...options });
  const exchanges = useExchangesOf(conversationId);
  const running = exchanges.find(isRunning);
  useFollowing(convo.data, thread.data);

  // Without the conversation it is not known how its messages are shown, one below the other or side by side.
  const isLoaded = thread.data !== undefined && (convo.data !== undefined || convo.isError);
  const error = thread.error ?? (thread.data ? null : convo.error);
  const retry = () => void Promise.all([convo, thread].map((query) => query.isError && query.refetch()));
  return {
    loading: loadingOf(slot.isNewChat || isLoaded, error, exchanges, retry),
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

/** Subscribes to the replies that another page has started. */
function useFollowing(convo: Convo | undefined, stored: StoredThread | undefined): void {
  const { exchanges } = useChatSession();
  const running = convo?.running;
  useEffect(() => {
    if (!convo || !running || !stored) return;
    const replies = stored.runningReplies.flatMap((id) => stored.bodies.get(id) ?? []);
    for (const reply of replies) {
      const { generationId } = reply;
      const request = stored.bodies.get(reply.parentMessageId ?? '');
      if (generationId && reply.unfinished && reply.finishReason === null)
        exchanges.follow(generationId, convo.conversationId, request && { request, reply });
    }
    // Of several replies to one question the conversation names the first, which may have ended.
    if (!convo.runsLeft) exchanges.follow(running, convo.conversationId);
  }, [exchanges, convo, running, stored]);
}

function loadingOf(isLoaded: boolean, error: unknown, exchanges: readonly Exchange[], retry: () => void): Loading {
  if (isLoaded) return { status: 'ready' };
  if (!error) return { status: 'loading' };
  const isMissing = errorReason(error)?.type === 'not_found' || errorReason(error)?.type === 'invalid_input';
  if (!isMissing) return { status: 'failed', error, retry };
  return exchanges.length > 0 ? { status: 'ready' } : { status: 'missing' };
}
