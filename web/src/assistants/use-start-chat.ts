import type { Assistant } from '@parley/schema/assistants/assistants';
import { useStore } from 'jotai';
import { FIRST_SLOT, slotAtom, startNewChat } from '../slots/slot.ts';

/** Returns a function that starts a new chat with an assistant. */
export function useStartChat(): (assistant: Assistant) => void {
  const store = useStore();
  return ({ assistantId, model }) =>
    startNewChat(store, FIRST_SLOT, { endpoint: 'assistants', model, settings: { assistant_id: assistantId } });
}

/** Returns a function that starts a chat with an assistant that is in no list. */
export function useTryChat(): (assistant: Assistant) => void {
  const store = useStore();
  const startChat = useStartChat();
  return (assistant) => {
    startChat(assistant);
    const slot = slotAtom(FIRST_SLOT);
    store.set(slot, { ...store.get(slot), isTemporary: true });
  };
}
