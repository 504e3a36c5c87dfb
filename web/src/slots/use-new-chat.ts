import { useStore } from 'jotai';
import { useCallback } from 'react';
import { FIRST_SLOT, startNewChat } from './slot.ts';

/** Returns a function that starts a new chat, also from an existing new chat. */
export function useNewChat(): () => void {
  const store = useStore();
  return useCallback(() => startNewChat(store, FIRST_SLOT, null), [store]);
}
