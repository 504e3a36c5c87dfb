// Folds events into a message. Pure, and the same on server and client.
import type { GenerationEvent, TextEvent } from './events.ts';
import type { Message, MessagePart } from '../messages/messages.ts';

/**
 * The reply after one more event. Text carries its offset, so an overlap with existing text is trimmed.
 * @throws Error when an event would leave a gap: the subscriber must attach again
 */
export function fold(reply: Message, event: GenerationEvent): Message {
  switch (event.type) {
    case 'created':
    case 'final':
      return event.reply;
    case 'text':
    case 'reasoning':
      return withPart(reply, event.part, extend(reply.parts[event.part], event));
    case 'part':
      return withPart(reply, event.part, event.value);
    case 'usage':
      return { ...reply, usage: { input: event.input, output: event.output } };
    default:
      return event satisfies never;
  }
}

/** Merges `a` and `b` into one event; null unless they are neighbouring text of one part. */
export function merge(a: GenerationEvent, b: GenerationEvent): GenerationEvent | null {
  if (!isText(a) || !isText(b) || a.type !== b.type || a.part !== b.part) return null;
  const overlap = a.offset + a.text.length - b.offset;
  if (overlap < 0 || b.offset < a.offset) return null;
  return { ...a, text: a.text + b.text.slice(overlap) };
}

/** Whether nothing can follow this event. */
export function isLast(event: GenerationEvent): boolean {
  return event.type === 'final';
}

function isText(event: GenerationEvent): event is TextEvent {
  return event.type === 'text' || event.type === 'reasoning';
}

function extend(part: MessagePart | undefined, event: TextEvent): MessagePart {
  const before = part === undefined ? '' : part.type === event.type ? part.text : null;
  if (before === null) throw new Error(`part ${event.part} is not ${event.type}`);
  if (event.offset > before.length) throw new Error(`part ${event.part} has a gap before ${event.offset}`);
  // What else the part has stays: a continued answer keeps its citations.
  return { ...part, type: event.type, text: before + event.text.slice(before.length - event.offset) };
}

function withPart(reply: Message, index: number, part: MessagePart): Message {
  if (index > reply.parts.length) throw new Error(`part ${index} came before part ${reply.parts.length}`);
  const parts = reply.parts.slice();
  parts[index] = part;
  return { ...reply, parts };
}
