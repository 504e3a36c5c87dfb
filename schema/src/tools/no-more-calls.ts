import type { ToolCall } from '../messages/messages.ts';

/** What a model reads that goes on calling although its answer has made as many calls as it may. */
export const NO_MORE_CALLS = 'No more calls are made in this answer.';

/** Whether a call was not made for that. */
export function isBeyondLimit({ state, output }: Pick<ToolCall, 'state' | 'output'>): boolean {
  return state === 'failed' && output?.endsWith(NO_MORE_CALLS) === true;
}
