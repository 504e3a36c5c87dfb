// The per-user feed of changes, followed once by the shell and told to every room that asks.
import type { Change } from '@parley/schema/convos';

type Listener = (change: Change) => void;

const listeners = new Set<Listener>();

/** Calls `listener` for each change of the signed-in user's convos, in order, until the returned function is called. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tellChange(change: Change): void {
  for (const listener of listeners) listener(change);
}
