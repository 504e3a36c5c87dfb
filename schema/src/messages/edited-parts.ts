// What becomes of a message's parts when its text is replaced.
import { citationMarksIn } from './citation-marks.ts';
import type { Citation, MessagePart } from './messages.ts';
import { inParagraphs } from './readable-text.ts';

type TextPart = Extract<MessagePart, { type: 'text' }>;

/**
 * The parts with another text in place of the readable one. Each text part keeps its place among the others and what did not change of it; the one
 * in which the change begins takes the new words. Text parts that become empty go; without any one is added at the
 * end, and so is a paragraph that is added to a message which ends with a call. Citations stay with their marks.
 */
export function withText(written: readonly MessagePart[], text: string): MessagePart[] {
  const parts = inParagraphs(written);
  const texts = parts.filter((part): part is TextPart => part.type === 'text');
  if (texts.length === 0) return [...parts, { type: 'text', text }];
  const before = texts.map((part) => part.text).join('');
  if (parts.at(-1)?.type === 'tool_call' && isParagraphAdded(before, text))
    return [...withText(parts, before.trimEnd()), { type: 'text', text: text.slice(before.trimEnd().length) }];
  const change = changeBetween(before, text);
  const citations = citationsAfter(texts, text, change);
  let oldEnd = 0;
  let begin = 0;
  const edited = new Map<MessagePart, MessagePart[]>();
  for (const part of texts) {
    oldEnd += part.text.length;
    const end = part === texts.at(-1) ? text.length : moved(oldEnd, begin, { before, after: text, change });
    const own = citations.filter(({ at }) => at >= begin && at < end);
    const next: TextPart = { type: 'text', text: text.slice(begin, end) };
    if (own.length > 0) next.citations = own.map((citation) => ({ ...citation, at: citation.at - begin }));
    const isKept = next.text !== '' || (text === '' && part === texts[0]);
    edited.set(part, isKept ? [next] : []);
    begin = end;
  }
  return parts.flatMap((part) => edited.get(part) ?? [part]);
}

function isParagraphAdded(before: string, after: string): boolean {
  const start = before.trimEnd();
  return start !== '' && after.startsWith(`${start}\n\n`) && after.trimEnd().length > start.length;
}

/** `from` to `to` of the old text became other words, which are `by` longer. */
interface Change {
  from: number;
  to: number;
  by: number;
}

function changeBetween(before: string, after: string): Change {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  if (isHalf(before, from) || isHalf(after, from)) from -= 1;
  if (isHalf(before, before.length - same) || isHalf(after, after.length - same)) same -= 1;
  return { from, to: before.length - same, by: after.length - before.length };
}

/** Whether a place is within a sign of two UTF-16 units. */
function isHalf(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

interface Edit {
  before: string;
  after: string;
  change: Change;
}

/** A longer change is another text: nothing in it is looked for. In UTF-16 units. */
const CHANGE_CHARS_MAX = 20_000;

/**
 * Where the end of a part is now, at or behind that of the part before. In the midst of the change it is between the
 * words that stood around it; where none of them is left, or the change is long, behind the change.
 */
function moved(at: number, begin: number, { before, after, change: { from, to, by } }: Edit): number {
  if (at <= from) return at;
  if (at >= to) return at + by;
  if (to + by - from > CHANGE_CHARS_MAX) return to + by;
  let best = { at: to + by, same: SAME_CHARS_MIN - 1 };
  for (let position = Math.max(from, begin); position <= to + by; position += 1) {
    const same = sameAround(before, at, after, position);
    if (same > best.same) best = { at: position, same };
  }
  return isHalf(after, best.at) ? best.at - 1 : best.at;
}

/** So many signs tell a place. */
const SAME_CHARS_MIN = 3;
/** So many on either side are compared. */
const SAME_CHARS_MAX = 24;

/** How many signs directly before and behind two places are the same. */
function sameAround(one: string, at: number, other: string, position: number): number {
  let before = 0;
  while (before < Math.min(SAME_CHARS_MAX, at, position) && one[at - 1 - before] === other[position - 1 - before])
    before += 1;
  let behind = 0;
  while (behind < SAME_CHARS_MAX && at + behind < one.length && one[at + behind] === other[position + behind])
    behind += 1;
  return before + behind;
}

/** The citations of all parts, by their places in the new text. */
function citationsAfter(texts: readonly TextPart[], after: string, { from, to, by }: Change): Citation[] {
  const known = new Map<string, Citation>();
  const kept = new Map<number, Citation>();
  let begin = 0;
  for (const { text, citations = [] } of texts) {
    for (const citation of citations) {
      const mark = /^\[\d{1,3}\]/.exec(text.slice(citation.at, citation.at + 5))?.[0] ?? '';
      const at = begin + citation.at;
      if (mark !== '' && !known.has(mark)) known.set(mark, citation);
      if (at + mark.length <= from) kept.set(at, { ...citation, at });
      else if (at >= to) kept.set(at + by, { ...citation, at: at + by });
    }
    begin += text.length;
  }
  if (known.size === 0) return [...kept.values()];
  for (const { at, n } of citationMarksIn(after)) {
    const mark = `[${n}]`;
    const citation = known.get(mark);
    if (citation && !kept.has(at) && at < to + by && at + mark.length > from) kept.set(at, { ...citation, at });
  }
  return [...kept.values()].sort((a, b) => a.at - b.at);
}
