import { atom, type getDefaultStore } from 'jotai';

/** Whether the chat is drawn as a whole, to be printed. */
export const isPrintingAtom = atom(false);

/** Prepares the chat for the printer. False where there is none: the browser prints what is on screen. */
export function printChat(store: ReturnType<typeof getDefaultStore>): boolean {
  if (!document.querySelector('[role=log]')) return false;
  store.set(isPrintingAtom, true);
  return true;
}
