import { cleanJson } from '@parley/schema/clean-text';
import type { GenerationEvent, TextEvent } from '@parley/schema/generation/events';
import { soundUsage } from '@parley/schema/catalog/usage';
import { toolLog, type MessagePart } from '@parley/schema/messages/messages';
import { isSourcesCall } from '@parley/schema/tools/web-sources';
import type { Delta } from './delta.ts';

type TextType = 'text' | 'reasoning';
type ToolCall = Extract<Delta, { type: 'tool' }>['call'];

type CallText = Extract<Delta, { type: 'input' | 'log' }>;

/** Where a tool call is, the arguments that were sent, how far its texts have come, and what is held of them. */
interface CallPart {
  part: number;
  input: string;
  lengths: { input: number; log: number };
  held: { input: string; log: string };
}

/** The part of the reply that is being written, and how far. */
interface Cursor {
  part: number;
  type: MessagePart['type'] | null;
  /** The text that the part had before this run. */
  before: string;
  offset: number;
  /** Whether the part has been emitted: until then the next one may replace it. */
  isEmitted: boolean;
  /** Whether an emptied part stands where it will be, which it has to replace whole. */
  isEmptied: boolean;
  /** The first half of a surrogate pair, which waits for the second. */
  held: string;
}

/** Turns deltas into events: finds each one's part, gives text its offset, and cleans it for storage. */
export interface EventBuilder {
  /** Makes the event of a delta; null when there is nothing to emit yet. */
  add(delta: Delta): GenerationEvent | null;
  /** Emits what was held back for the next delta. */
  flush(): GenerationEvent | null;
}

/**
 * `isSpaced`: insert a space between the existing words and the new ones. `isTakenOver`: the existing words are of this
 * run, so that they may be replaced.
 */
export function createEventBuilder(parts: readonly MessagePart[], isSpaced = false, isTakenOver = false): EventBuilder {
  const last = parts.at(-1);
  const said = last?.type === 'text' || last?.type === 'reasoning' ? last.text : '';
  const begun = { part: parts.length - 1, type: last?.type ?? null, before: isTakenOver ? '' : said };
  const at: Cursor = { ...begun, offset: said.length, held: '', ...EMITTED };
  /** The words that the first new ones follow. */
  let unspaced = isSpaced ? lastWordsOf(parts) : '';
  /** Made for the first call, or where the reply has some. */
  let calls: ReturnType<typeof createCallParts> | null = null;
  const callParts = () => (calls ??= createCallParts(parts));
  const whole = createWholeParts(at);

  return { add, flush };

  function add(delta: Delta): GenerationEvent | null {
    switch (delta.type) {
      case 'text':
      case 'reasoning':
        return addText(delta.type, delta.text);
      case 'rewrite':
        return rewrite(delta.text);
      case 'tool':
        return callParts().replace(delta.call, () => begin(at, 'tool_call', true));
      case 'input':
      case 'log':
        return callParts().append(delta);
      case 'signature':
        return signatureEvent(delta, signedPart(delta.id), () => begin(at, 'reasoning', true));
      case 'made':
      case 'place':
        return whole(delta);
      case 'usage':
        return usageEvent(delta);
      case 'picture':
      case 'thread':
      case 'working':
      case 'context':
      case 'asked':
      case 'asking':
      case 'finish':
        return null;
      default:
        return delta satisfies never;
    }
  }

  function flush(): GenerationEvent | null {
    const { type, held } = at;
    at.held = '';
    return held !== '' && (type === 'text' || type === 'reasoning') ? textEvent(at, type, '\ufffd') : null;
  }

  function addText(type: TextType, chunk: string): GenerationEvent | null {
    if (at.type !== type) begin(at, type);
    const { text, held } = cleanChunk(at.held, chunk);
    at.held = held;
    if (text === '') return null;
    const gap = type === 'text' && unspaced !== '' ? gapBetween(unspaced, text) : '';
    if (type === 'text') unspaced = '';
    return textEvent(at, type, gap + text);
  }

  /** Text from before this run stays. */
  function rewrite(said: string): GenerationEvent {
    if (at.type !== 'text') begin(at, 'text');
    const { text, held } = cleanChunk('', said);
    at.held = held;
    unspaced = '';
    const whole = at.before + (isSpaced ? gapBetween(at.before, text) : '') + text;
    at.offset = whole.length;
    // Nothing is left of it: what comes next takes its place.
    Object.assign(at, whole === '' ? { isEmitted: false, isEmptied: true } : EMITTED);
    return { type: 'part', part: at.part, value: { type: 'text', text: whole } };
  }

  function signedPart(callId: string | undefined): number | null {
    if (callId !== undefined) return callParts().partOf(callId);
    return at.type === 'reasoning' && at.isEmitted ? at.part : null;
  }
}

/** Parts that come whole: at the end of the reply, or at the place of a picture, where the next one replaces it. */
function createWholeParts(at: Cursor) {
  const places: number[] = [];
  return (delta: Extract<Delta, { type: 'made' | 'place' }>): GenerationEvent => {
    const open = () => begin(at, delta.part.type, true);
    const part = delta.type === 'made' ? open() : (places[delta.place] ??= open());
    return { type: 'part', part, value: cleanJson(delta.part) };
  };
}

/** At the end of a reply; a list of searched pages stands behind them. */
function lastWordsOf(parts: readonly MessagePart[]): string {
  const last = parts.findLast((part) => part.type !== 'tool_call' || !isSourcesCall(part.call));
  return last?.type === 'text' ? last.text : '';
}

/** The tool calls of the reply, by their ids. */
function createCallParts(parts: readonly MessagePart[]) {
  const calls = new Map<string, CallPart>();
  for (const [part, value] of parts.entries()) if (value.type === 'tool_call') note(part, value.call);

  return { partOf: (id: string): number | null => calls.get(id)?.part ?? null, replace, append };

  function note(part: number, call: ToolCall): void {
    const lengths = { input: call.input.length, log: toolLog(call).length };
    calls.set(call.id, { part, input: call.input, held: { input: '', log: '' }, lengths });
  }

  /** Puts a call in place of the one with its id, or in the part that `open` begins. */
  function replace(call: ToolCall, open: () => number): GenerationEvent {
    const before = calls.get(call.id);
    const part = before?.part ?? open();
    const value = cleanJson(call);
    note(part, value);
    if (before === undefined || before.input === '' || before.input !== value.input)
      return { type: 'part', part, value: { type: 'tool_call', call: value } };
    return { type: 'part', part, value: { type: 'tool_call', call: { ...value, input: '' } }, keeps: 'input' };
  }

  /** Null for an unknown call, and while there is nothing to emit yet. */
  function append({ type, id, text: chunk }: CallText): GenerationEvent | null {
    const call = calls.get(id);
    if (!call) return null;
    const { text, held } = cleanChunk(call.held[type], chunk);
    call.held[type] = held;
    if (text === '') return null;
    const offset = call.lengths[type];
    call.lengths[type] += text.length;
    if (type === 'input') call.input += text;
    return { type, part: call.part, offset, text };
  }
}

/** Begins the next part, and returns its index. `isEmitted`: it is emitted as a whole at once. */
function begin(at: Cursor, type: MessagePart['type'], isEmitted = false): number {
  if (at.isEmitted) at.part += 1;
  Object.assign(at, { type, before: '', offset: 0, isEmitted, held: '', ...(isEmitted && { isEmptied: false }) });
  return at.part;
}

const EMITTED = { isEmitted: true, isEmptied: false };

function textEvent(at: Cursor, type: TextType, text: string): GenerationEvent {
  const event: GenerationEvent = at.isEmptied
    ? { type: 'part', part: at.part, value: { type, text } }
    : { type, part: at.part, offset: at.offset, text };
  at.offset += text.length;
  Object.assign(at, EMITTED);
  return event;
}

/** Cleans a chunk for storage. A surrogate pair may be split across two: the first half is held for the second. */
function cleanChunk(before: string, chunk: string): { text: string; held: string } {
  const text = before + chunk.replaceAll('\u0000', '');
  const last = text.charCodeAt(text.length - 1);
  const held = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : '';
  return { text: (held === '' ? text : text.slice(0, -1)).toWellFormed(), held };
}

/** A signature of a call, of the reasoning before, or of reasoning that the provider does not show. Null for an unknown call. */
function signatureEvent(
  { id, signature }: Extract<Delta, { type: 'signature' }>,
  part: number | null,
  openReasoning: () => number,
): GenerationEvent | null {
  if (part !== null) return { type: 'seal', part, seal: signature };
  return id === undefined
    ? { type: 'part', part: openReasoning(), value: { type: 'reasoning', text: '', seal: signature } }
    : null;
}

/** A space between two words, in scripts that separate words. None before closing punctuation. */
function gapBetween(before: string, after: string): string {
  const isApart = before === '' || after === '' || /\s$/.test(before) || /^[\s\p{Pe}\p{Pf}.,;:!?%…]/u.test(after);
  return isApart || SPACELESS_END.test(before) || SPACELESS_START.test(after) ? '' : ' ';
}

const SPACELESS = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u3000-\u303f\uff00-\uffef]`;
const SPACELESS_START = new RegExp(`^${SPACELESS}`, 'u');
const SPACELESS_END = new RegExp(`${SPACELESS}$`, 'u');

function usageEvent(delta: Extract<Delta, { type: 'usage' }>): GenerationEvent | null {
  const { estimated, rates } = delta;
  const usage = soundUsage(delta);
  return usage && { type: 'usage', ...usage, ...(estimated && { estimated }), ...(rates && { rates }) };
}

/** Measures how long each piece of reasoning takes: from its first words to what follows it. */
export interface ThoughtTimer {
  /** The event that ends the reasoning before `event`, if that ends any. */
  endedBy(event: GenerationEvent): TextEvent | null;
  /** The same at the end of the reply. */
  end(): TextEvent | null;
}

interface Thought {
  part: number;
  from: number;
  /** The length of its text so far. */
  length: number;
}

export function createThoughtTimer(now: () => number = () => performance.now()): ThoughtTimer {
  let open: Thought | null = null;
  return {
    endedBy(event) {
      if (!('part' in event) || event.part === open?.part) {
        if (event.type === 'reasoning' && open) open.length = event.offset + event.text.length;
        return null;
      }
      const ended = end();
      if (event.type === 'reasoning')
        open = { part: event.part, from: now(), length: event.offset + event.text.length };
      return ended;
    },
    end,
  };

  function end(): TextEvent | null {
    if (!open) return null;
    const { part, from, length } = open;
    open = null;
    return { type: 'reasoning', part, offset: length, text: '', tookMs: Math.round(now() - from) };
  }
}
