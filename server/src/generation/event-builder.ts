import { cleanJson } from '@parley/schema/clean-text';
import type { GenerationEvent } from '@parley/schema/generation/events';
import type { MessagePart } from '@parley/schema/messages/messages';
import type { Delta } from './delta.ts';
import { soundUsage } from './usage.ts';

type TextType = 'text' | 'reasoning';
type ToolCall = Extract<Delta, { type: 'tool' }>['call'];

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
  /** The text before the next one, if a space may go between them. */
  let joiner = isSpaced ? cursor.before() : '';
  const toolParts = new Map<string, number>();

  return { add, flush };

  function add(delta: Delta): GenerationEvent | null {
    switch (delta.type) {
      case 'text':
      case 'reasoning':
        return readText(delta.type, delta.text);
      case 'rewrite':
        return rewrite(delta.text);
      case 'tool':
        return readTool(delta.call);
      case 'usage':
        return usageEvent(delta);
      case 'thread':
      case 'working':
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
    return cursor.textEvent(type, type === 'text' ? joined(text) : text);
  }

  function joined(text: string): string {
    const gap = gapBetween(joiner, text);
    joiner = '';
    return gap + text;
  }

  /** Text from before this run stays. */
  function rewrite(said: string): GenerationEvent {
    open('text');
    cleaner.drop();
    const text = cleaner.clean(said);
    joiner = '';
    const before = cursor.before();
    return cursor.replaceText(before + (isSpaced ? gapBetween(before, text) : '') + text);
  }

  function readTool(call: ToolCall): GenerationEvent {
    let part = toolParts.get(call.id);
    if (part === undefined) {
      cleaner.drop();
      part = cursor.openWhole('tool_call');
      toolParts.set(call.id, part);
    }
    return { type: 'part', part, value: { type: 'tool_call', call: cleanJson(call) } };
  }

  function open(type: TextType): void {
    if (cursor.type() === type) return;
    cleaner.drop();
    cursor.open(type);
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

  return { type: () => type, before: () => before, open, openWhole, textEvent, replaceText };

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

/** Cleans chunks for storage. A surrogate pair may be split across two: the first half waits for the second. */
function createChunkCleaner() {
  let pending = '';
  return {
    clean(chunk: string): string {
      const text = pending + chunk.replaceAll('\u0000', '');
      const last = text.charCodeAt(text.length - 1);
      pending = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : '';
      return (pending === '' ? text : text.slice(0, -1)).toWellFormed();
    },
    /** Gives up a half that waits; returns whether there was one. */
    drop(): boolean {
      const isPending = pending !== '';
      pending = '';
      return isPending;
    },
  };
}

function usageEvent(delta: Extract<Delta, { type: 'usage' }>): GenerationEvent | null {
  const usage = soundUsage(delta);
  return usage && { type: 'usage', ...usage };
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
