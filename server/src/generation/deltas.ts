import { cleanJson } from '@parley/schema/clean-text';
import type { GenerationEvent } from '@parley/schema/events';
import type { MessagePart } from '@parley/schema/messages';
import type { Delta } from './delta.ts';
import { soundUsage } from './usage.ts';

/** Turns deltas into events: finds each its part, gives text its offset, and cleans it for storage. */
export interface DeltaReader {
  /** The event a delta makes; null when it says nothing (yet). */
  read(delta: Delta): GenerationEvent | null;
  /** What was held back until the next delta, when there is none. */
  rest(): GenerationEvent | null;
}

/** `isSpaced` when a space is to part the words that are there from those written after them. */
export function createDeltaReader(parts: readonly MessagePart[], isSpaced = false): DeltaReader {
  let part = parts.length - 1;
  let type: MessagePart['type'] | null = parts.at(-1)?.type ?? null;
  let held = '';
  /** The text that the part at hand had before. */
  let before = textOf(parts.at(-1));
  let offset = before.length;
  /** Whether the part at hand has been told of: until then the next one may take its place. */
  let told = true;
  /** What the next text is written after, if a space is to part them. */
  let seam = isSpaced ? before : '';
  const toolParts = new Map<string, number>();

  return { read, rest };

  function read(delta: Delta): GenerationEvent | null {
    switch (delta.type) {
      case 'text':
      case 'reasoning':
        return readText(delta.type, delta.text);
      case 'rewrite':
        return rewrite(delta.text);
      case 'tool':
        return readTool(delta);
      case 'usage':
        return readUsage(delta);
      case 'upstream':
      case 'finish':
        return null;
      default:
        return delta satisfies never;
    }
  }

  function rest(): GenerationEvent | null {
    if (held === '' || (type !== 'text' && type !== 'reasoning')) return null;
    held = '';
    return textEvent(type, '\ufffd');
  }

  function readText(next: 'text' | 'reasoning', chunk: string): GenerationEvent | null {
    if (type !== next) open(next);
    const text = clean(chunk);
    if (text === '') return null;
    return textEvent(next, next === 'text' ? afterSeam(text) : text);
  }

  function afterSeam(text: string): string {
    const gap = gapBetween(seam, text);
    seam = '';
    return gap + text;
  }

  /** What was there before the answer began stays. */
  function rewrite(said: string): GenerationEvent {
    if (type !== 'text') open('text');
    held = '';
    const rest = clean(said);
    const text = before + (isSpaced ? gapBetween(before, rest) : '') + rest;
    seam = '';
    offset = text.length;
    told = true;
    return { type: 'part', part, value: { type: 'text', text } };
  }

  function textEvent(next: 'text' | 'reasoning', text: string): GenerationEvent {
    const event = { type: next, part, offset, text };
    offset += text.length;
    told = true;
    return event;
  }

  function readTool(delta: Extract<Delta, { type: 'tool' }>): GenerationEvent {
    let index = toolParts.get(delta.call.id);
    if (index === undefined) {
      open('tool_call');
      index = part;
      toolParts.set(delta.call.id, index);
      told = true;
    }
    return { type: 'part', part: index, value: { type: 'tool_call', call: cleanJson(delta.call) } };
  }

  function readUsage(delta: Extract<Delta, { type: 'usage' }>): GenerationEvent | null {
    const usage = soundUsage(delta);
    return usage && { type: 'usage', ...usage };
  }

  function open(next: MessagePart['type']): void {
    if (told) part += 1;
    told = false;
    type = next;
    offset = 0;
    held = '';
    before = '';
  }

  /** A pair of surrogates may be cut between two deltas: its first half waits for the second. */
  function clean(chunk: string): string {
    const text = held + chunk.replaceAll('\u0000', '');
    const last = text.charCodeAt(text.length - 1);
    held = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : '';
    return (held === '' ? text : text.slice(0, -1)).toWellFormed();
  }
}

/** A space between two words, where their script parts words. None before what closes a clause. */
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
