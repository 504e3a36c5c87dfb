// The state of exchanges. An exchange is one ask and its reply as the browser sees it, from the key press to the stored
// answer. Its key is the generation id, and it ends when its messages are in the cache. Components derive what they
// show ("submitting", the stop button, the cursor) from it; nothing else stores that.
import { atom, type PrimitiveAtom } from 'jotai';
import type { Message } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import type { Store } from '../../lib/jotai-store.ts';

interface Pair {
  generationId: string;
  conversationId: string;
  request: Message;
  /** The reply at the last change of status; `replyAtom` has the events folded since. */
  reply: Message;
}

/** `queued` waits for the network or for earlier exchanges; `starting` has been sent and has no response yet. */
export type RunningExchange = Pair & {
  status: 'queued' | 'starting' | 'streaming' | 'stopping';
  /** The last delivery error while queued; null where the server did not answer, absent before the first attempt. */
  why?: Reason | null;
};
export type FailedExchange = Pair & { status: 'failed'; reason: Reason };
export type Exchange = RunningExchange | FailedExchange;

/**
 * Exchanges by generation id, oldest first. The map changes only when an exchange is added or removed; its atoms change
 * otherwise.
 */
export const exchangesAtom = atom<ReadonlyMap<string, ExchangeAtoms>>(new Map());

export interface ExchangeAtoms {
  conversationId: string;
  /** This page asked; else it follows what runs already. */
  isAskedHere: boolean;
  exchange: PrimitiveAtom<Exchange>;
  /** The reply as folded so far. Separate from the exchange, so that a delta renders only its own message. */
  reply: PrimitiveAtom<Message>;
}

/** Adds or replaces an exchange, including its reply. */
export function putExchange(store: Store, exchange: Exchange): void {
  const known = store.get(exchangesAtom).get(exchange.generationId);
  if (known) {
    store.set(known.reply, exchange.reply);
    store.set(known.exchange, exchange);
    return;
  }
  const { conversationId, generationId, reply, status } = exchange;
  const isAskedHere = status === 'queued' || status === 'starting';
  const atoms = { conversationId, isAskedHere, exchange: atom(exchange), reply: atom(reply) };
  store.set(exchangesAtom, new Map([...store.get(exchangesAtom), [generationId, atoms]]));
}

export function dropExchange(store: Store, generationId: string): void {
  const exchanges = new Map(store.get(exchangesAtom));
  if (exchanges.delete(generationId)) store.set(exchangesAtom, exchanges);
}

export function findExchange(store: Store, generationId: string): Exchange | undefined {
  const atoms = store.get(exchangesAtom).get(generationId);
  return atoms && store.get(atoms.exchange);
}

export function listExchanges(store: Store, conversationId: string): Exchange[] {
  const exchanges = [...store.get(exchangesAtom).values()];
  return exchanges.filter((atoms) => atoms.conversationId === conversationId).map((atoms) => store.get(atoms.exchange));
}

/** Changes only the status of a running exchange; ignores a failed or unknown one. */
export function markExchange(
  store: Store,
  generationId: string,
  status: RunningExchange['status'],
  why: Reason | null = null,
): void {
  const atoms = store.get(exchangesAtom).get(generationId);
  const exchange = atoms && store.get(atoms.exchange);
  if (!exchange || !isRunning(exchange) || (exchange.status === status && !why)) return;
  store.set(atoms.exchange, { ...exchange, status, why });
}

/** Stores a newly folded reply. */
export function showReply(store: Store, generationId: string, reply: Message): void {
  const atoms = store.get(exchangesAtom).get(generationId);
  if (atoms) store.set(atoms.reply, reply);
}

export function isRunning(exchange: Exchange): exchange is RunningExchange {
  return exchange.status !== 'failed';
}

export function findRunning(store: Store, conversationId: string): RunningExchange | undefined {
  return listExchanges(store, conversationId).find(isRunning);
}
