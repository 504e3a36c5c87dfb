/** The conversation of this page's address; null outside of one. */
export function openConversation(): string | null {
  const [, id] = /^\/c\/([\da-f-]{36})$/.exec(window.location.pathname) ?? [];
  return id ?? null;
}

/** Whether this page shows the conversation, to somebody who can see the page. */
export function isLookingAt(conversationId: string): boolean {
  return document.visibilityState === 'visible' && openConversation() === conversationId;
}

/** The events after which another conversation may be open: the router dispatches those of its own. */
const MOVES = ['popstate', 'pushState', 'replaceState'] as const;

/** Calls `listener` when the page shows something else, or is shown or hidden, until the returned function is called. */
export function onLook(listener: () => void): () => void {
  for (const move of MOVES) window.addEventListener(move, listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    for (const move of MOVES) window.removeEventListener(move, listener);
    document.removeEventListener('visibilitychange', listener);
  };
}
