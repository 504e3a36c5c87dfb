import { CONTINUE_PROMPT } from './compatible/plain-turns.ts';
import { hasCalls } from './finished-calls.ts';
import type { ChatMessage } from './provider.ts';

/** For providers whose last turn must be the user's: adds a turn that asks to continue an unfinished answer. */
export function withContinuePrompt(messages: readonly ChatMessage[]): ChatMessage[] {
  return isContinuation(messages) ? [...messages, { role: 'user', content: CONTINUE_PROMPT }] : [...messages];
}

/** Whether the last turn is an unfinished answer that the model is to continue. */
export function isContinuation(messages: readonly ChatMessage[]): boolean {
  const last = messages.at(-1);
  // After calls, it is their results that the model goes on from.
  return last?.role === 'assistant' && !hasCalls(last);
}
