import type { Attachment, FinishReason, Seal, ToolCall } from '@parley/schema/messages/messages';
import type { ProviderThread } from '@parley/schema/chat/provider-thread';

/** One piece of a provider's answer, in one shape for all providers. */
export type Delta =
  | { type: 'text'; text: string }
  /** Replaces all text so far. */
  | { type: 'rewrite'; text: string }
  | { type: 'reasoning'; text: string }
  /** Begins a tool call, or replaces it whole. */
  | { type: 'tool'; call: ToolCall }
  /** More of the arguments, or of the log, of the call with this id. */
  | { type: 'input' | 'log'; id: string; text: string }
  /** What the provider wants back: with the call of this id, or with the reasoning just before, if any. */
  | { type: 'seal'; id?: string; seal: Seal }
  /** An image or a file that a tool made, as a part of the answer. */
  | { type: 'made'; part: Attachment }
  | { type: 'usage'; input: number; output: number }
  /** The provider's thread position; each replaces the previous one. Saved with the answer. */
  | { type: 'thread'; thread: ProviderThread }
  /** Something beside the model is still being waited for: the time it may take starts anew. No event. */
  | { type: 'working' }
  /** The model is asked now: its first delta may take as long as at the beginning of a run. No event. */
  | { type: 'asking' }
  | { type: 'finish'; reason: FinishReason };
