import { refuse } from './errors.ts';
import type { Socket } from './trpc.ts';

/** What one websocket may follow at once: far more than any page does. */
const AT_ONCE = 50;

const open = new WeakMap<Socket, number>();

/**
 * The same entries, counted as one of the things that the socket follows.
 * @throws Refusal `concurrent` when it follows too many
 */
export async function* counted<T>(socket: Socket | null, entries: AsyncIterable<T>): AsyncGenerator<T, void> {
  if (socket) count(socket, 1);
  try {
    yield* entries;
  } finally {
    if (socket) count(socket, -1);
  }
}

function count(socket: Socket, more: number): void {
  const followed = (open.get(socket) ?? 0) + more;
  if (followed > AT_ONCE) refuse({ type: 'concurrent', limit: AT_ONCE });
  open.set(socket, followed);
}
