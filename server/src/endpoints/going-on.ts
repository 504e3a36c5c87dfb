import type { ChatMessage } from './provider.ts';

const GO_ON = 'Go on exactly where you stopped. Repeat nothing and say nothing else.';

/** For providers whose last turn must be a person's: an answer that is to go on is asked to. */
export function askingToGoOn(messages: readonly ChatMessage[]): ChatMessage[] {
  return isGoingOn(messages) ? [...messages, { role: 'user', content: GO_ON }] : [...messages];
}

/** Whether the last turn is an answer that is to go on. */
export function isGoingOn(messages: readonly ChatMessage[]): boolean {
  return messages.at(-1)?.role === 'assistant';
}
