// Folds events into a message. Pure, and the same on server and client.
import { isTextEvent, type GenerationEvent, type PartEvent, type TextEvent } from './events.ts';
import { toolLog, type Message, type MessagePart, type Signature, type ToolCall } from '../messages/messages.ts';

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
    case 'input':
    case 'log':
      return withPart(reply, event.part, extend(reply.parts[event.part], event));
    case 'part':
      return withPart(reply, event.part, replaced(reply.parts[event.part], event));
    case 'seal':
      return withPart(reply, event.part, withSignature(reply.parts[event.part], event.seal));
    case 'usage': {
      const { type: _type, ...usage } = event;
      return { ...reply, usage };
    }
    default:
      return event satisfies never;
  }
}

/**
 * Merges `a` and `b` into one event; null unless they are neighbouring text of one part, or `b` replaces what `a` set.
 */
export function merge(a: GenerationEvent, b: GenerationEvent): GenerationEvent | null {
  if (a.type === 'part' && b.type === 'part' && a.part === b.part) return mergeParts(a, b);
  if (!isTextEvent(a) || !isTextEvent(b) || a.type !== b.type || a.part !== b.part) return null;
  const overlap = a.offset + a.text.length - b.offset;
  if (overlap < 0 || b.offset < a.offset) return null;
  return { ...a, ...(b.tookMs !== undefined && { tookMs: b.tookMs }), text: a.text + b.text.slice(overlap) };
}

function extend(part: MessagePart | undefined, event: TextEvent): MessagePart {
  if (event.type === 'input' || event.type === 'log') {
    if (part?.type !== 'tool_call') throw new Error(`part ${event.part} is no tool call`);
    return { ...part, call: event.type === 'input' ? withInput(part.call, event) : withLog(part.call, event) };
  }
  const before = part === undefined ? '' : part.type === event.type ? part.text : null;
  if (before === null) throw new Error(`part ${event.part} is not ${event.type}`);
  // What else the part has stays: a continued answer keeps its citations.
  const { type, tookMs } = event;
  return { ...part, ...(tookMs !== undefined && { tookMs }), type, text: before + restOf(event, before.length) };
}

function replaced(part: MessagePart | undefined, { part: index, value, keeps }: PartEvent): MessagePart {
  if (!keeps) return value;
  if (part?.type !== 'tool_call') throw new Error(`part ${index} is no tool call`);
  return withInputOf(part, value);
}

/** `b`, with the arguments of `a` where it keeps them; then they are kept if `a` keeps them, too. */
function mergeParts(a: PartEvent, { keeps, ...b }: PartEvent): PartEvent {
  if (!keeps) return b;
  return { ...b, value: withInputOf(a.value, b.value), ...(a.keeps && { keeps }) };
}

function withInputOf(before: MessagePart, value: MessagePart): MessagePart {
  if (before.type !== 'tool_call' || value.type !== 'tool_call') return value;
  return { ...value, call: { ...value.call, input: before.call.input } };
}

function withSignature(part: MessagePart | undefined, signature: Signature): MessagePart {
  if (part?.type === 'tool_call') return { ...part, call: { ...part.call, seal: signature } };
  if (part?.type === 'reasoning') return { ...part, seal: signature };
  throw new Error('Only tool calls and reasoning have signatures');
}

function withInput(call: ToolCall, event: TextEvent): ToolCall {
  return { ...call, input: call.input + restOf(event, call.input.length) };
}

/** What a tool prints after an image begins another piece of its log. */
function withLog(call: ToolCall, event: TextEvent): ToolCall {
  const text = restOf(event, toolLog(call).length);
  const outputs = call.outputs ?? [];
  const last = outputs.at(-1);
  const next =
    last?.type === 'logs'
      ? [...outputs.slice(0, -1), { ...last, text: last.text + text }]
      : [...outputs, { type: 'logs' as const, text }];
  return { ...call, outputs: next };
}

/** What an event adds to a text of `length` units. */
function restOf({ part, offset, text }: TextEvent, length: number): string {
  if (offset > length) throw new Error(`part ${part} has a gap before ${offset}`);
  return text.slice(length - offset);
}

function withPart(reply: Message, index: number, part: MessagePart): Message {
  if (index > reply.parts.length) throw new Error(`part ${index} came before part ${reply.parts.length}`);
  const parts = reply.parts.slice();
  parts[index] = part;
  return { ...reply, parts };
}
