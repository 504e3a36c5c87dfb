// Tests of this room: tests/unit/web/sidebar, tests/integration/convos/changes.test.ts.

// The user's change feed: the app shell subscribes once, and features listen here.
import type { Change } from '@parley/schema/convos/convos';

type Listener = (change: Change) => void;

const listeners = new Set<Listener>();

/** Calls `listener` for each change of the signed-in user's data, in order, until the returned function is called. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function emitChange(change: Change): void {
  for (const listener of listeners) listener(change);
}

const starts = new Set<() => void>();

/** Calls `listener` whenever the feed starts: it misses what changed between an earlier reading and its start. */
export function onFeedStart(listener: () => void): () => void {
  starts.add(listener);
  return () => starts.delete(listener);
}

export function emitFeedStart(): void {
  for (const listener of starts) listener();
}
