import { useStore } from 'jotai';
import { useCallback } from 'react';
import { FIRST_SLOT, startNewChat } from '../chat/slot.ts';

/** Returns a function that puts a fresh chat on the screen, also where one is already. */
export function useNewChat(): () => void {
  const store = useStore();
  return useCallback(() => startNewChat(store, FIRST_SLOT, null), [store]);
}
