import type { FinishReason, ToolCall } from '@parley/schema/messages';
import type { Upstream } from '@parley/schema/upstream';

/** What a provider says while it answers, in one shape for all of them. */
export type Delta =
  | { type: 'text'; text: string }
  /** All that was said so far is this after all. */
  | { type: 'rewrite'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool'; call: ToolCall }
  | { type: 'usage'; input: number; output: number }
  /** Where the provider goes on from; each replaces the one before. For whoever saves the answer. */
  | { type: 'upstream'; upstream: Upstream }
  | { type: 'finish'; reason: FinishReason };
