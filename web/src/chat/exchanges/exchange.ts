// The chat room: what is being said, how it gets to the server and how the answer comes back.
// An exchange is one ask and its reply as the browser sees it, from the key press to the stored answer. It is kept by
// generation id and ends when the messages it made are in the cache. What the screen shows ("submitting", the stop
// button, the cursor) is derived from it and stored nowhere.
import { atom, type createStore, type PrimitiveAtom } from 'jotai';
import type { Message } from '@parley/schema/messages';
import type { Reason } from '@parley/schema/reasons';

export type Store = ReturnType<typeof createStore>;

interface Pair {
  generationId: string;
  conversationId: string;
  request: Message;
  /** As it was when the status last changed; what has been folded since is in `replyAtom`. */
  reply: Message;
}

/** `queued` waits for the network or for its turn; `starting` has been sent and not been answered. */
export type RunningExchange = Pair & {
  status: 'queued' | 'starting' | 'streaming' | 'stopping';
  /** What it has met on its way while it is queued. */
  why?: Reason | null;
};
export type FailedExchange = Pair & { status: 'failed'; reason: Reason };
export type Exchange = RunningExchange | FailedExchange;

/** Exchanges by generation id, oldest first. Its atoms change; the map changes only when one comes or goes. */
export const exchangesAtom = atom<ReadonlyMap<string, ExchangeAtoms>>(new Map());

export interface ExchangeAtoms {
  conversationId: string;
  exchange: PrimitiveAtom<Exchange>;
  /** The reply as folded so far. Apart from the exchange, so that a delta touches the one message that shows it. */
  reply: PrimitiveAtom<Message>;
}

/** Adds an exchange, or replaces what is known of it, its reply included. */
export function putExchange(store: Store, exchange: Exchange): void {
  const known = store.get(exchangesAtom).get(exchange.generationId);
  if (known) {
    store.set(known.reply, exchange.reply);
    store.set(known.exchange, exchange);
    return;
  }
  const { conversationId, generationId, reply } = exchange;
  const atoms = { conversationId, exchange: atom(exchange), reply: atom(reply) };
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

/** Changes the status of one that is running, and nothing else; a failed or unknown one stays as it is. */
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

/** Takes a newly folded reply. */
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
