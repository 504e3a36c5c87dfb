// Tells chats that a plugin was uninstalled: it leaves their chosen tools.

type Listener = (key: string) => void;

const listeners = new Set<Listener>();

/** Returns the function that ends it. */
export function onUninstall(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function emitUninstall(key: string): void {
  for (const listener of listeners) listener(key);
}
