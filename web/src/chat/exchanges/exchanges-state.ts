// The shared state of the exchange functions: everything in flight between this browser and the server.
import type { Convo } from '@parley/schema/convos/convos';
import type { FinalEvent } from '@parley/schema/generation/events';
import type { Reason } from '@parley/schema/reasons';
import type { Store } from '../../lib/jotai-store.ts';
import type { ChatApi } from './chat-api.ts';
import type { Frames } from './frames.ts';
import type { Outbox } from './outbox.ts';
import type { PendingAsk } from './prepare-ask.ts';
import type { Stops } from './stops.ts';

export interface ExchangesDeps {
  chatApi: ChatApi;
  store: Store;
  outbox: Outbox;
  stops: Stops;
  /** Writes the final event to the cache; afterwards the exchange is no longer needed on screen. */
  applyFinal(event: FinalEvent): Promise<void>;
  /** The conversation was created or has changed. */
  onConvo(convo: Convo): void;
  /** The cached messages differ from the server's. */
  refresh(conversationId: string): void;
  /** Restores the text of a refused ask, if any, to its draft. False when the draft holds another text. */
  restoreDraft(pendingAsk: PendingAsk): boolean;
  onEnded(event: FinalEvent): void;
  onStopFailed(error: unknown): void;
  /** This browser may not read a reply that is in progress. */
  onReadingRefused(reason: Reason): void;
}

/** One exchange in flight. */
export interface ActiveAsk {
  generationId: string;
  conversationId: string;
  /** Null when another page asked. */
  pendingAsk: PendingAsk | null;
  /** The server has accepted it. */
  isAccepted: boolean;
  /** Whether it may have reached the server. */
  isAttempted: boolean;
  /** Aborts the delivery; null before it starts. */
  delivery: AbortController | null;
  endReading: (() => void) | null;
}

export interface ExchangesState {
  deps: ExchangesDeps;
  frames: Frames;
  /** By generation id. */
  activeAsks: Map<string, ActiveAsk>;
  /** Refused asks by generation id, for a retry. */
  refused: Map<string, PendingAsk>;
  /** Generations this browser may not read: the conversation shows their stored state. */
  unreadable: Set<string>;
  /** Aborts the delivery of a stop request, by generation id. */
  stopDeliveries: Map<string, AbortController>;
}

export function beginAsk(
  state: ExchangesState,
  generationId: string,
  conversationId: string,
  pendingAsk: PendingAsk | null,
): ActiveAsk {
  const ask: ActiveAsk = {
    generationId,
    conversationId,
    pendingAsk,
    isAccepted: false,
    isAttempted: false,
    delivery: null,
    endReading: null,
  };
  state.activeAsks.set(generationId, ask);
  return ask;
}

export function endAsk(state: ExchangesState, ask: ActiveAsk): void {
  state.activeAsks.delete(ask.generationId);
  ask.endReading?.();
  ask.delivery?.abort();
}

/** The generation has ended, or cannot be stopped. */
export function forgetStop(state: ExchangesState, generationId: string): void {
  state.deps.stops.remove(generationId);
  state.stopDeliveries.get(generationId)?.abort();
  state.stopDeliveries.delete(generationId);
}
