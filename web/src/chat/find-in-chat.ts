import { atom, type getDefaultStore } from 'jotai';

/** Whether the search in the chat is open. */
export const isFindingAtom = atom(false);

type Store = ReturnType<typeof getDefaultStore>;

/**
 * Opens the search, or returns to it. False where there is no chat, and for a second press, which is the browser's own
 * search.
 */
export function openFind(store: Store): boolean {
  if (!document.querySelector('[role=log]')) return false;
  const field = document.querySelector<HTMLInputElement>('[data-find] input');
  if (field && field === document.activeElement) return false;
  field?.select();
  store.set(isFindingAtom, true);
  return true;
}
