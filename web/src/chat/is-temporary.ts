import type { ChatState } from './chat-state.ts';

/** Whether the chat is, or is about to be, in no list and no search. */
export function isTemporary({ slot, convo }: Pick<ChatState, 'slot' | 'convo'>): boolean {
  return convo ? convo.temporaryUntil !== undefined : slot.isTemporary === true;
}
