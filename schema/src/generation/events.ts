// The events of a generation: one union for the API, the log and the fold.
import type { Convo } from '../convos/convos.ts';
import type { Message, MessagePart } from '../messages/messages.ts';

export type GenerationEvent =
  | { type: 'created'; request: Message; reply: Message; convo: Convo }
  /** A delta; `offset` counts UTF-16 units from the start of its part. */
  | { type: 'text' | 'reasoning'; part: number; offset: number; text: string }
  /** A tool call, image or error: replaces that part whole. */
  | { type: 'part'; part: number; value: MessagePart }
  | { type: 'usage'; input: number; output: number }
  | { type: 'final'; request: Message; reply: Message; convo: Convo };

export type CreatedEvent = Extract<GenerationEvent, { type: 'created' }>;
export type FinalEvent = Extract<GenerationEvent, { type: 'final' }>;
export type TextEvent = Extract<GenerationEvent, { offset: number }>;

/** An entry of the event log: once it is folded, everything up to and including `seq` is applied. */
export interface Entry {
  seq: number;
  event: GenerationEvent;
}
