// Stops an exchange: locally if its ask was never sent, else by a stop request that is stored until the server
// responds.
import { dropExchange, findExchange, isRunning, markExchange, type RunningExchange } from './exchange.ts';
import { endAsk, forgetStop, type ActiveAsk, type ExchangesState } from './exchanges-state.ts';
import type { PendingAsk } from './prepare-ask.ts';
import { advance, finish } from './run-exchange.ts';
import { deliverStop } from './stops.ts';

export async function stopExchange(state: ExchangesState, generationId: string): Promise<void> {
  const exchange = findExchange(state.deps.store, generationId);
  const ask = state.activeAsks.get(generationId);
  if (exchange && (!isRunning(exchange) || exchange.status === 'stopping')) return;
  if (exchange?.status === 'queued' && ask?.pendingAsk) return withdraw(state, ask, ask.pendingAsk);
  // A page that was just loaded may know of a running answer before it follows it: the request is sent all the same.
  if (exchange) markExchange(state.deps.store, generationId, 'stopping');
  state.deps.stops.put(generationId);
  await sendStop(state, generationId, exchange?.status);
}

/** `before` is the status to restore if the server refuses. */
export async function sendStop(
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

/** The ask has no response yet. In case it did arrive, a stop request follows it. */
function withdraw(state: ExchangesState, ask: ActiveAsk, pendingAsk: PendingAsk): void {
  endAsk(state, ask);
  state.deps.outbox.remove(ask.generationId);
  dropExchange(state.deps.store, ask.generationId);
  state.deps.restoreDraft(pendingAsk);
  if (ask.isAttempted) {
    state.deps.stops.put(ask.generationId);
    void sendStop(state, ask.generationId);
  }
  advance(state, ask.conversationId);
}
