// Tests of this room: tests/unit/web/chat, tests/e2e/chat.
import { hasAnswerer } from '../endpoints/assistants/assistant-state.ts';
import { needsKey } from '../keys/key-state.ts';
import type { ChatState } from './chat-state.ts';

/** `isAnyway`: the person knows that the last reply is not whole. */
export function canSend(state: ChatState, isAnyway = false): boolean {
  const { loading, modelTarget, keyState, assistantState, generationId, blockedBy } = state;
  const isReady = loading.status === 'ready' && Boolean(modelTarget) && keyState.status !== 'loading';
  return (
    isReady &&
    hasAnswerer(assistantState) &&
    !needsKey(keyState) &&
    generationId === null &&
    (blockedBy === null || isAnyway)
  );
}
