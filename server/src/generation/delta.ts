import type { FinishReason, ToolCall } from '@parley/schema/messages/messages';
import type { ProviderThread } from '@parley/schema/chat/provider-thread';

/** One piece of a provider's answer, in one shape for all providers. */
export type Delta =
  | { type: 'text'; text: string }
  /** Replaces all text so far. */
  | { type: 'rewrite'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool'; call: ToolCall }
  | { type: 'usage'; input: number; output: number }
  /** The provider's thread position; each replaces the previous one. Saved with the answer. */
  | { type: 'thread'; thread: ProviderThread }
  /** Something beside the model is still being waited for: the time it may take starts anew. No event. */
  | { type: 'working' }
  /** The model is asked now: its first delta may take as long as at the beginning of a run. No event. */
  | { type: 'asking' }
  | { type: 'finish'; reason: FinishReason };
