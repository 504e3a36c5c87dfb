// What a generation can say. The wire type, the log's type and the fold's type are this one union.
import type { Convo } from './convos.ts';
import type { Message, MessagePart } from './messages.ts';

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

/** A place in the log: everything up to and including `seq` is told once this event is folded. */
export interface Entry {
  seq: number;
  event: GenerationEvent;
}
