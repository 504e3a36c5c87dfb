import { refuse } from '../platform/errors.ts';
import type { Socket } from './open-calls.ts';
import type { Context } from './trpc.ts';

/** Maximum subscriptions of one websocket, far more than any page opens. */
const MAX_SUBSCRIPTIONS = 50;
/** Maximum event streams of a user over HTTP, in this process. */
const MAX_STREAMS = 200;

/** How many are open, by socket or by the id of a user. */
const open = new Map<Socket | string, number>();

/**
 * Passes the entries on and counts the subscription against the limit of its socket, or of its user's event streams.
 * @throws Refusal `concurrent` above the limit
 */
export async function* limitSubscriptions<T>(
  { socket, http, signedIn }: Pick<Context, 'socket' | 'http' | 'signedIn'>,
  entries: AsyncIterable<T>,
): AsyncGenerator<T, void> {
  const key = socket ?? (http && signedIn?.userId);
  if (key) count(key, 1, socket ? MAX_SUBSCRIPTIONS : MAX_STREAMS);
  try {
    yield* entries;
  } finally {
    if (key) count(key, -1);
  }
}

function count(key: Socket | string, more: number, max = Infinity): void {
  const now = (open.get(key) ?? 0) + more;
  if (now > max) refuse({ type: 'concurrent', limit: max });
  if (now === 0) open.delete(key);
  else open.set(key, now);
}
