import type { FinishReason, ToolCall } from '@parley/schema/messages';

/** What a provider says while it answers, in one shape for all of them. */
export type Delta =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool'; call: ToolCall }
  | { type: 'usage'; input: number; output: number }
  | { type: 'finish'; reason: FinishReason };
