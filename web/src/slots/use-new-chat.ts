import { atom, useStore } from 'jotai';
import { useCallback } from 'react';
import { FIRST_SLOT, slotAtom, startNewChat } from './slot.ts';

/** How often a person has asked for another new chat in place of an existing one. */
export const newChatCountAtom = atom(0);

/** Returns a function that starts a new chat, also from an existing new chat. */
export function useNewChat(): () => void {
  const store = useStore();
  return useCallback(() => {
    if (store.get(slotAtom(FIRST_SLOT)).isNewChat) store.set(newChatCountAtom, (count) => count + 1);
    startNewChat(store, FIRST_SLOT, null);
  }, [store]);
}
