import { useStore } from 'jotai';
import { useCallback, useEffect, useEffectEvent } from 'react';
import type { Choice } from '../catalog/choose-model.ts';
import type { Store } from '../lib/jotai-store.ts';
import { FIRST_SLOT, startNewChat } from './slot.ts';

const listeners = new Set<() => void>();

/** Returns a function that starts a new chat, also from an existing new chat. */
export function useNewChat(): () => void {
  const store = useStore();
  return useCallback(() => beginNewChat(store, null), [store]);
}

/** The person starts a new chat. */
export function beginNewChat(store: Store, choice: Choice | null, folderId?: string): void {
  for (const listener of listeners) listener();
  startNewChat(store, FIRST_SLOT, choice, folderId);
}

/** Calls `onStart` each time that the person starts a new chat, before it is on screen, until the returned function is called. */
export function onNewChat(onStart: () => void): () => void {
  listeners.add(onStart);
  return () => void listeners.delete(onStart);
}

export function useOnNewChat(onStart: () => void): void {
  const start = useEffectEvent(onStart);
  useEffect(() => onNewChat(() => start()), []);
}
