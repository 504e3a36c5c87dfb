// Tests of this room: tests/unit/schema.

// The events of a generation: one union for the API, the log and the fold.
import type { Usage } from '../catalog/usage.ts';
import type { Convo } from '../convos/convos.ts';
import type { Message, MessagePart, Signature } from '../messages/messages.ts';

export type GenerationEvent =
  | { type: 'created'; request: Message; reply: Message; convo: Convo }
  /** A delta; `offset` counts UTF-16 units from the start of its part. The last of reasoning says how long it took. */
  | { type: 'text' | 'reasoning'; part: number; offset: number; text: string; tookMs?: number }
  /** More of a tool call's arguments, or of its log; `offset` as for text. */
  | { type: 'input' | 'log'; part: number; offset: number; text: string; tookMs?: number }
  /**
   * A tool call, image or error: replaces that part whole. With `keeps` the call's arguments stay as they were sent, and
   * are empty here: long ones are sent once.
   */
  | { type: 'part'; part: number; value: MessagePart; keeps?: 'input' }
  /** Signs a tool call or reasoning. */
  | { type: 'seal'; part: number; seal: Signature }
  | ({ type: 'usage' } & Usage)
  | { type: 'final'; request: Message; reply: Message; convo: Convo };

/** An event that sets a part. */
export type PartEvent = Extract<GenerationEvent, { type: 'part' }>;
export type CreatedEvent = Extract<GenerationEvent, { type: 'created' }>;
export type FinalEvent = Extract<GenerationEvent, { type: 'final' }>;
/** An event that adds text to a part. */
export type TextEvent = Extract<GenerationEvent, { offset: number }>;

export function isTextEvent(event: GenerationEvent): event is TextEvent {
  return 'offset' in event;
}

/** An entry of the event log: once it is folded, everything up to and including `seq` is applied. */
export interface Entry {
  seq: number;
  event: GenerationEvent;
}
