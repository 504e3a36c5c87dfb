import type { Assistant } from '@parley/schema/assistants/assistants';
import { useStore } from 'jotai';
import { FIRST_SLOT, startNewChat } from '../slots/slot.ts';

/** Returns a function that starts a new chat with an assistant. */
export function useStartChat(): (assistant: Assistant) => void {
  const store = useStore();
  return ({ assistantId, model }) =>
    startNewChat(store, FIRST_SLOT, { endpoint: 'assistants', model, settings: { assistant_id: assistantId } });
}
