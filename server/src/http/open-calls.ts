// The calls of procedures that have begun and not ended, and the answers that are read over websockets: a shutdown waits
// for them before it closes connections and the database.
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../platform/errors.ts';

/** The websocket of a call: how many bytes are still unsent. */
export interface Socket {
  bufferedAmount: number;
}

export interface OpenCalls {
  /** Counts a call until it has ended. */
  add<T>(call: Promise<T>, socket?: Socket | null): Promise<T>;
  /** Passes the entries of an answer on, and counts their reader until the last one is sent. */
  read<T>(socket: Socket | null, entries: AsyncIterable<T>): AsyncGenerator<T, void>;
  /** How many calls have not ended. */
  size(): number;
  /** Whether a call or an answer over this websocket has not ended, or is not sent yet. */
  isUsing(socket: Socket): boolean;
}

export function createOpenCalls(): OpenCalls {
  const open = new Set<Promise<unknown>>();
  const bySocket = new WeakMap<Socket, number>();

  return {
    add(call, socket = null) {
      open.add(call);
      if (socket) count(socket, 1);
      const end = () => {
        open.delete(call);
        if (socket) count(socket, -1);
      };
      call.then(end, end);
      return call;
    },
    async *read(socket, entries) {
      if (socket) count(socket, 1);
      try {
        yield* entries;
      } finally {
        if (socket) count(socket, -1);
      }
    },
    size: () => open.size,
    isUsing: (socket) => (bySocket.get(socket) ?? 0) > 0 || socket.bufferedAmount > 0,
  };

  function count(socket: Socket, more: number): void {
    bySocket.set(socket, (bySocket.get(socket) ?? 0) + more);
  }
}

/** A call that has just ended may still have a message to send, or begin another one. */
const LOOK_EVERY_MS = 20;

/** Resolves when nothing is open at two looks in a row, at the latest after `ms` milliseconds. */
export async function untilIdle(isOpen: () => boolean, ms: number): Promise<void> {
  const end = performance.now() + ms;
  for (let idle = 0; idle < 2 && performance.now() < end; idle = isOpen() ? 0 : idle + 1) await sleep(LOOK_EVERY_MS);
}

/** Maximum subscriptions of one websocket, far more than any page opens. */
const MAX_SUBSCRIPTIONS = 50;
/** Maximum event streams of a user over HTTP, in this process. */
const MAX_STREAMS = 200;

/** How many are open, by socket or by the id of a user. */
const subscriptions = new Map<Socket | string, number>();

/**
 * Passes the entries on and counts the subscription against the limit of its socket, or of its user's event streams.
 * @throws Refusal `concurrent` above the limit
 */
export async function* limitSubscriptions<T>(
  { socket, http, signedIn }: { socket: Socket | null; http: object | null; signedIn: { userId: string } | null },
  entries: AsyncIterable<T>,
): AsyncGenerator<T, void> {
  const key = socket ?? (http && signedIn?.userId);
  if (key) countSubscription(key, 1, socket ? MAX_SUBSCRIPTIONS : MAX_STREAMS);
  try {
    yield* entries;
  } finally {
    if (key) countSubscription(key, -1);
  }
}

function countSubscription(key: Socket | string, more: number, max = Infinity): void {
  const now = (subscriptions.get(key) ?? 0) + more;
  if (now > max) refuse({ type: 'concurrent', limit: max });
  if (now === 0) subscriptions.delete(key);
  else subscriptions.set(key, now);
}
