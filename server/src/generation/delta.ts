import type {
  Attachment,
  Citation,
  ContextRecord,
  FinishReason,
  ImagePart,
  Signature,
  ToolCall,
} from '@parley/schema/messages/messages';
import type { PendingPicture } from '@parley/schema/messages/made-pictures';
import type { Usage } from '@parley/schema/catalog/usage';
import type { ProviderThread } from '@parley/schema/chat/provider-thread';

/** A passage that a model got, whose number in the list, from 1, may stand in the reply. */
export interface CitablePassage extends Pick<Citation, 'fileId' | 'name' | 'page' | 'n'> {
  heading: string | null;
  body: string;
}

/** Describes one piece of a provider's answer, in one shape for all providers. */
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
  | { type: 'signature'; id?: string; signature: Signature }
  /** An image or a file that a tool made, as a part of the reply. */
  | { type: 'made'; part: Attachment }
  /** What stands at a place of pictures that are made together, counted from 0. */
  | { type: 'place'; place: number; part: PendingPicture | ImagePart | { type: 'error'; text: string } }
  /** A picture of the answer that is not kept; `data` is base64. Programs get it as it is. No event. */
  | { type: 'picture'; picture: { mime: string; data: string } }
  /** What the model has used so far. */
  | ({ type: 'usage' } & Usage)
  /** The provider's thread position; each replaces the previous one. Saved with the reply. */
  | { type: 'thread'; thread: ProviderThread }
  /** What the model is shown: each replaces the previous one. Saved with the reply. No event. */
  | { type: 'context'; context: ContextRecord; passages: readonly CitablePassage[] }
  /** The only call of the provider begins now. No event. */
  | { type: 'asked' }
  /** Something beside the model is still being waited for: the time it may take starts anew. No event. */
  | { type: 'working' }
  /** The model is asked now: its first delta may take as long as at the beginning of a run. No event. */
  | { type: 'asking' }
  | { type: 'finish'; reason: FinishReason };
