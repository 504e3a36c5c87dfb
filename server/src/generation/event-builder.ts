import { cleanJson } from '@parley/schema/clean-text';
import type { GenerationEvent } from '@parley/schema/generation/events';
import { toolLog, type MessagePart } from '@parley/schema/messages/messages';
import type { Delta } from './delta.ts';
import { soundUsage } from './usage.ts';

type TextType = 'text' | 'reasoning';
type ToolCall = Extract<Delta, { type: 'tool' }>['call'];

type CallText = Extract<Delta, { type: 'input' | 'log' }>;

/** Where a tool call is, the arguments that were sent, and how far its texts have come. */
interface CallPart {
  part: number;
  input: string;
  lengths: { input: number; log: number };
  cleaners: { input: ChunkCleaner; log: ChunkCleaner };
}

/** Turns deltas into events: finds each one's part, gives text its offset, and cleans it for storage. */
export interface EventBuilder {
  /** The event of a delta; null when there is nothing to emit yet. */
  add(delta: Delta): GenerationEvent | null;
  /** Emits what was held back for the next delta. */
  flush(): GenerationEvent | null;
}

/** `isSpaced`: insert a space between the existing words and the new ones. */
export function createEventBuilder(parts: readonly MessagePart[], isSpaced = false): EventBuilder {
  const cursor = createPartCursor(parts);
  const cleaner = createChunkCleaner();
  const spacer = isSpaced ? createSpacer(cursor.before()) : null;
  /** Made for the first call, or where the reply has some. */
  let calls: ReturnType<typeof createCallParts> | null = null;
  const callParts = () => (calls ??= createCallParts(parts));

  return { add, flush };

  function add(delta: Delta): GenerationEvent | null {
    switch (delta.type) {
      case 'text':
      case 'reasoning':
        return readText(delta.type, delta.text);
      case 'rewrite':
        return rewrite(delta.text);
      case 'tool':
        return callParts().replace(delta.call, () => openWhole('tool_call'));
      case 'input':
      case 'log':
        return callParts().append(delta);
      case 'signature':
        return signatureEvent(delta, signedPart(delta.id), () => openWhole('reasoning'));
      case 'made':
        return { type: 'part', part: openWhole(delta.part.type), value: cleanJson(delta.part) };
      case 'usage': {
        const usage = soundUsage(delta);
        return usage && { type: 'usage', ...usage };
      }
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
    const type = cursor.type();
    const isPending = cleaner.drop();
    return isPending && (type === 'text' || type === 'reasoning') ? cursor.textEvent(type, '\ufffd') : null;
  }

  function readText(type: TextType, chunk: string): GenerationEvent | null {
    open(type);
    const text = cleaner.clean(chunk);
    if (text === '') return null;
    return cursor.textEvent(type, type === 'text' && spacer ? spacer.join(text) : text);
  }

  /** Text from before this run stays. */
  function rewrite(said: string): GenerationEvent {
    open('text');
    cleaner.drop();
    const text = cleaner.clean(said);
    spacer?.end();
    const before = cursor.before();
    return cursor.replaceText(before + (isSpaced ? gapBetween(before, text) : '') + text);
  }

  function signedPart(callId: string | undefined): number | null {
    return callId === undefined ? cursor.emitted('reasoning') : callParts().partOf(callId);
  }

  function openWhole(type: MessagePart['type']): number {
    cleaner.drop();
    return cursor.openWhole(type);
  }

  function open(type: TextType): void {
    if (cursor.type() === type) return;
    cleaner.drop();
    cursor.open(type);
  }
}

/** Puts a space between the text before this run and the first text of it, where one belongs. */
function createSpacer(before: string) {
  let waiting = before;
  return {
    join(text: string): string {
      const gap = gapBetween(waiting, text);
      waiting = '';
      return gap + text;
    },
    end: () => void (waiting = ''),
  };
}

/** The tool calls of the reply, by their ids. */
function createCallParts(parts: readonly MessagePart[]) {
  const calls = new Map<string, CallPart>();
  for (const [part, value] of parts.entries()) if (value.type === 'tool_call') note(part, value.call);

  return { partOf: (id: string): number | null => calls.get(id)?.part ?? null, replace, append };

  function note(part: number, call: ToolCall): void {
    const cleaners = { input: createChunkCleaner(), log: createChunkCleaner() };
    const lengths = { input: call.input.length, log: toolLog(call).length };
    calls.set(call.id, { part, input: call.input, cleaners, lengths });
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
    const text = call?.cleaners[type].clean(chunk) ?? '';
    if (!call || text === '') return null;
    const offset = call.lengths[type];
    call.lengths[type] += text.length;
    if (type === 'input') call.input += text;
    return { type, part: call.part, offset, text };
  }
}

/** The part of the reply that is being written, and how far. */
function createPartCursor(parts: readonly MessagePart[]) {
  let part = parts.length - 1;
  let type: MessagePart['type'] | null = parts.at(-1)?.type ?? null;
  /** The text that the part had before this run. */
  let before = textOf(parts.at(-1));
  let offset = before.length;
  /** Whether the part has been emitted: until then the next one may replace it. */
  let isEmitted = true;

  return { type: () => type, before: () => before, emitted, open, openWhole, textEvent, replaceText };

  /** The index of the part that is being written, if it has this type and was emitted. */
  function emitted(wanted: MessagePart['type']): number | null {
    return type === wanted && isEmitted ? part : null;
  }

  /** Begins the next part. */
  function open(next: MessagePart['type']): void {
    if (isEmitted) part += 1;
    isEmitted = false;
    type = next;
    offset = 0;
    before = '';
  }

  /** Begins a part that is emitted as a whole, and returns its index. */
  function openWhole(next: MessagePart['type']): number {
    open(next);
    isEmitted = true;
    return part;
  }

  function textEvent(next: TextType, text: string): GenerationEvent {
    const event = { type: next, part, offset, text };
    offset += text.length;
    isEmitted = true;
    return event;
  }

  function replaceText(text: string): GenerationEvent {
    offset = text.length;
    isEmitted = true;
    return { type: 'part', part, value: { type: 'text', text } };
  }
}

interface ChunkCleaner {
  clean(chunk: string): string;
  /** Gives up a half that waits; returns whether there was one. */
  drop(): boolean;
}

/** Cleans chunks for storage. A surrogate pair may be split across two: the first half waits for the second. */
function createChunkCleaner(): ChunkCleaner {
  let pending = '';
  return {
    clean(chunk: string): string {
      const text = pending + chunk.replaceAll('\u0000', '');
      const last = text.charCodeAt(text.length - 1);
      pending = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : '';
      return (pending === '' ? text : text.slice(0, -1)).toWellFormed();
    },
    drop() {
      const isPending = pending !== '';
      pending = '';
      return isPending;
    },
  };
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

function textOf(part: MessagePart | undefined): string {
  return part?.type === 'text' || part?.type === 'reasoning' ? part.text : '';
}
