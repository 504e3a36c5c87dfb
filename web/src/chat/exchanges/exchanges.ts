// Owns everything in flight between this browser and the server: asks being delivered, subscriptions to replies, and
// the order of asks within a conversation.
import type { Message } from '@parley/schema/messages/messages';
import {
  dropExchange,
  exchangesAtom,
  listExchanges,
  putExchange,
  findExchange,
  isRunning,
  markExchange,
  type RunningExchange,
} from './exchange.ts';
import { beginAsk, endAsk, type ExchangesDeps, type ExchangesState, forgetStop } from './exchanges-state.ts';
import { createFrames } from './frames.ts';
import type { OutboxEntry } from './outbox.ts';
import type { PendingAsk } from './prepare-ask.ts';
import { advance, showFailed, startReading, finish, withdraw } from './run-exchange.ts';
import { deliverStop } from './stops.ts';

export interface Exchanges {
  /** Sends an ask, after any earlier ones of the same conversation. */
  send(pendingAsk: PendingAsk): void;
  /** Resumes the undelivered asks and stops of an earlier visit, except those already in flight. */
  restoreAll(): void;
  /** Subscribes to a generation started elsewhere. Shows `reply` and its question until the first event. */
  follow(generationId: string, conversationId: string, known?: { request: Message; reply: Message }): void;
  /**
   * Sends one stop request per exchange and retries it until the server responds; withdraws an ask that has not reached
   * the server.
   */
  stop(generationId: string): Promise<void>;
  /** Removes the failed exchanges of a conversation. */
  dismissFailed(conversationId: string): void;
  /** The ask of an exchange of this page. */
  findPendingAsk(generationId: string): PendingAsk | undefined;
  isFollowing(generationId: string): boolean;
  /** Ends all subscriptions and deliveries. Unacknowledged asks stay in the outbox. */
  close(): void;
}

export function createExchanges(deps: ExchangesDeps): Exchanges {
  const { store, outbox, stops } = deps;
  const state: ExchangesState = {
    deps,
    frames: createFrames(),
    activeAsks: new Map(),
    refused: new Map(),
    unreadable: new Set(),
    stopDeliveries: new Map(),
  };

  return {
    send(pendingAsk) {
      outbox.put(pendingAsk);
      enqueue(state, pendingAsk);
    },
    restoreAll() {
      for (const entry of outbox.list()) restore(state, entry);
      for (const generationId of stops.list()) void sendStop(state, generationId);
    },
    follow(generationId, conversationId, known) {
      if (state.activeAsks.has(generationId) || state.unreadable.has(generationId)) return;
      const ask = beginAsk(state, generationId, conversationId, null);
      const status = stops.has(generationId) ? 'stopping' : 'streaming';
      if (known) putExchange(store, { status, generationId, conversationId, ...known });
      startReading(state, ask);
    },
    stop: (generationId) => stopExchange(state, generationId),
    dismissFailed(conversationId) {
      for (const { status, generationId } of listExchanges(store, conversationId)) {
        if (status !== 'failed') continue;
        state.refused.delete(generationId);
        outbox.remove(generationId);
        dropExchange(store, generationId);
      }
    },
    findPendingAsk: (generationId) => state.activeAsks.get(generationId)?.pendingAsk ?? state.refused.get(generationId),
    isFollowing: (generationId) => state.activeAsks.has(generationId),
    close() {
      for (const ask of state.activeAsks.values()) endAsk(state, ask);
      for (const generationId of store.get(exchangesAtom).keys()) dropExchange(store, generationId);
      state.refused.clear();
      for (const delivery of state.stopDeliveries.values()) delivery.abort();
      state.stopDeliveries.clear();
    },
  };
}

function restore(state: ExchangesState, { pendingAsk, refused: reason }: OutboxEntry): void {
  const { generationId } = pendingAsk.ask;
  if (state.activeAsks.has(generationId) || state.refused.has(generationId)) return;
  if (reason) showFailed(state, pendingAsk, reason);
  else enqueue(state, pendingAsk);
}

function enqueue(state: ExchangesState, pendingAsk: PendingAsk): void {
  const { generationId, conversationId } = pendingAsk.ask;
  beginAsk(state, generationId, conversationId, pendingAsk);
  const { request, reply } = pendingAsk;
  putExchange(state.deps.store, { status: 'queued', generationId, conversationId, request, reply });
  for (const { ask, ...shown } of pendingAsk.others ?? []) {
    beginAsk(state, ask.generationId, conversationId, null);
    putExchange(state.deps.store, { status: 'starting', generationId: ask.generationId, conversationId, ...shown });
  }
  advance(state, conversationId);
}

// Stops an exchange: locally if its ask was never sent, else by a stop request that is stored until the server
// responds.
async function stopExchange(state: ExchangesState, generationId: string): Promise<void> {
  const exchange = findExchange(state.deps.store, generationId);
  const ask = state.activeAsks.get(generationId);
  if (exchange && (!isRunning(exchange) || exchange.status === 'stopping')) return;
  if (exchange?.status === 'queued' && ask?.pendingAsk) {
    withdraw(state, ask, ask.pendingAsk);
    if (!ask.isAttempted) return;
    // In case it did arrive, a stop request follows it.
    state.deps.stops.put(generationId);
    return void sendStop(state, generationId);
  }
  // A page that was just loaded may know of a running reply before it follows it: the request is sent all the same.
  if (exchange) markExchange(state.deps.store, generationId, 'stopping');
  state.deps.stops.put(generationId);
  await sendStop(state, generationId, exchange?.status);
}

/** `before` is the status to restore if the server refuses. */
async function sendStop(
  state: ExchangesState,
  generationId: string,
  before: RunningExchange['status'] = 'streaming',
): Promise<void> {
  if (state.stopDeliveries.has(generationId)) return;
  const delivery = new AbortController();
  state.stopDeliveries.set(generationId, delivery);
  try {
    const final = await deliverStop(state.deps.chatApi, generationId, delivery.signal);
    forgetStop(state, generationId);
    const ask = state.activeAsks.get(generationId);
    if (final && ask) await finish(state, ask, final);
  } catch (error) {
    // The session closed, or the exchange ended meanwhile.
    if (delivery.signal.aborted) return;
    forgetStop(state, generationId);
    markExchange(state.deps.store, generationId, before);
    state.deps.onStopFailed(error);
  }
}
