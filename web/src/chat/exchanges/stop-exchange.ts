// Stops an exchange: locally if its ask was never sent, else by a stop request that is stored until the server
// responds.
import { findExchange, isRunning, markExchange, type RunningExchange } from './exchange.ts';
import { forgetStop, type ExchangesState } from './exchanges-state.ts';
import { finish, withdraw } from './run-exchange.ts';
import { deliverStop } from './stops.ts';

export async function stopExchange(state: ExchangesState, generationId: string): Promise<void> {
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
