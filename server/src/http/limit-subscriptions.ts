import { refuse } from '../platform/errors.ts';
import type { Context, Socket } from './trpc.ts';

/** Maximum subscriptions of one websocket, far more than any page opens. */
const MAX_SUBSCRIPTIONS = 50;
/** Maximum event streams of a user over HTTP, in this process. */
const MAX_STREAMS = 200;

const bySocket = new WeakMap<Socket, number>();
const byUser = new Map<string, number>();

/**
 * Passes the entries on and counts the subscription against the limit of its socket, or of its user's event streams.
 * @throws Refusal `concurrent` above the limit
 */
export async function* limitSubscriptions<T>(
  { socket, http, signedIn }: Pick<Context, 'socket' | 'http' | 'signedIn'>,
  entries: AsyncIterable<T>,
): AsyncGenerator<T, void> {
  const count = (more: number) => {
    if (socket) add(bySocket, socket, more, MAX_SUBSCRIPTIONS);
    else if (http && signedIn) add(byUser, signedIn.userId, more, MAX_STREAMS);
  };
  count(1);
  try {
    yield* entries;
  } finally {
    count(-1);
  }
}

interface Counts<Key> {
  get(key: Key): number | undefined;
  set(key: Key, count: number): unknown;
  delete(key: Key): unknown;
}

function add<Key>(counts: Counts<Key>, key: Key, more: number, max: number): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count > max) refuse({ type: 'concurrent', limit: max });
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
