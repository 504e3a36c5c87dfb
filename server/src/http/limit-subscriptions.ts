import { refuse } from '../platform/errors.ts';
import type { Socket } from './trpc.ts';

/** Maximum subscriptions of one websocket, far more than any page opens. */
const MAX_SUBSCRIPTIONS = 50;

const open = new WeakMap<Socket, number>();

/**
 * Passes the entries on and counts the subscription against the socket's limit.
 * @throws Refusal `concurrent` above the limit
 */
export async function* limitSubscriptions<T>(
  socket: Socket | null,
  entries: AsyncIterable<T>,
): AsyncGenerator<T, void> {
  if (socket) count(socket, 1);
  try {
    yield* entries;
  } finally {
    if (socket) count(socket, -1);
  }
}

function count(socket: Socket, more: number): void {
  const followed = (open.get(socket) ?? 0) + more;
  if (followed > MAX_SUBSCRIPTIONS) refuse({ type: 'concurrent', limit: MAX_SUBSCRIPTIONS });
  open.set(socket, followed);
}
