// Tells chats that a plugin was uninstalled: it leaves their chosen tools.

type Listener = (key: string) => void;

const listeners = new Set<Listener>();
/** What was uninstalled while no chat was open, as on the page of tools: the next one hears of it. */
const unheard = new Set<string>();

/** Returns the function that ends it. */
export function onUninstall(listener: Listener): () => void {
  listeners.add(listener);
  for (const key of unheard) listener(key);
  unheard.clear();
  return () => void listeners.delete(listener);
}

export function emitUninstall(key: string): void {
  if (listeners.size === 0) unheard.add(key);
  for (const listener of listeners) listener(key);
}
