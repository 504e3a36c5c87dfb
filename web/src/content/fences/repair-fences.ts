// Models write fences that CommonMark reads as something else: blocks of code within a document that has as many marks, a
// fence at the end of a sentence, words after a closing fence, and code in a list that is not indented as its fence is.
// Here they become what was meant, by characters that are only inserted.
import {
  endOfHtml,
  indentation,
  readOpening,
  splitOpening,
  columnWidth,
  type Opening,
  isBareFence,
  isProse,
  readMarks,
} from './fence-lines.ts';

const DOCUMENT = /^(?:markdown|md|mdx|rmd|qmd|gfm|commonmark|myst)$/i;

const TEXT = /^(?:|text|txt|plain|plaintext|prompt)$/i;

const BEGINS_DOCUMENT = /^[ \t]*(?:#{1,6} |---$|\*\*|[-*+] |\d+[.)] |> |<!--)/;

/** Whatever its line goes on with: what is known of a line must not change while it arrives. */
const BEGINS_WITH_MARKS = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:`{3}|~{3})/;

export interface Insertion {
  /** Where it begins in the repaired text. */
  at: number;
  length: number;
}

export interface Repaired {
  text: string;
  insertions: readonly Insertion[];
  /** It depends on what follows how a fence is read: in a text that goes on, its block reaches to the end. */
  isUncertain: boolean;
}

const NO_INSERTIONS: readonly Insertion[] = [];
const BEGINS_BLOCK = /^[ \t]*(?:#{1,6}(?:\s|$)|>|```|~~~|[-*+]\s|\d{1,9}[.)]\s|\[\^|(?:[-*_][ \t]*){3,}$)/;
const LIST_MARK = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)/;

/**
 * The text with its fences as they were meant. It begins outside of a fence. Where more text may come, an open question
 * is answered by what models mean; once the text is complete, by CommonMark. A repaired text stays as it is.
 */
export function repairFences(text: string, isComplete: boolean): Repaired {
  if (!text.includes('```') && !text.includes('~~~')) return { text, insertions: NO_INSERTIONS, isUncertain: false };
  const lines = text.split('\n');
  const writer = new Writer(lines);
  const items: number[] = [];
  let isUncertain = false;
  let isParagraph = false;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const html = endOfHtml(lines, index, isParagraph);
    if (html > index) {
      enterItems(items, line, false);
      index = html - 1;
      isParagraph = false;
      continue;
    }
    enterItems(items, line, isParagraph);
    isParagraph = /^[ \t]*[^\s<]/.test(line);
    const inner = items.at(-1) ?? 0;
    const opening = readOpening(line, inner) ?? splitOpening(lines, index, inner);
    isUncertain ||= opening?.isPending === true;
    if (!opening || (opening.isPending && isComplete)) continue;
    const region = fenceRegion(lines, index, opening, isComplete);
    isUncertain ||= region.isUncertain;
    writeRegion(writer, index, opening, region);
    index = region.end - 1;
    isParagraph = false;
    if (region.rest !== undefined) items.length = 0;
  }
  return { ...writer.written(), isUncertain };
}

/** Keeps the columns at which the text of the list items around a line begins. */
function enterItems(items: number[], line: string, isParagraph: boolean): void {
  if (line.trim() === '') return;
  const indent = indentation(line);
  // A paragraph of an item goes on without indentation.
  if (isParagraph && (items.at(-1) ?? 0) > indent && !BEGINS_BLOCK.test(line)) return;
  while ((items.at(-1) ?? 0) > indent) items.pop();
  let rest = line;
  let column = 0;
  let most = (items.at(-1) ?? 0) + 3;
  for (let mark = LIST_MARK.exec(rest)?.[0]; mark !== undefined; mark = LIST_MARK.exec(rest)?.[0]) {
    if (indentation(mark) > most) return;
    column += columnWidth(mark);
    items.push(column);
    rest = rest.slice(mark.length);
    most = 3;
  }
}

function writeRegion(writer: Writer, start: number, opening: Opening, region: Region): void {
  const { at, prefix, marks } = opening;
  if (prefix !== undefined) writer.insert(start, at, `\n${prefix}`);
  const longer = region.innerMarks < marks.length ? '' : marks.charAt(0).repeat(region.innerMarks - marks.length + 1);
  writer.insert(start, at + marks.length, longer);
  const last = region.end - 1;
  for (let index = start + 1; index <= last; index += 1) {
    const isClosing = region.isClosed && index === last;
    const shift = isClosing ? region.closingShift : region.shift;
    if (shift > 0 && !writer.isBlank(index)) writer.insert(index, 0, ' '.repeat(shift));
    if (isClosing) writer.insert(index, region.closingAt, longer);
  }
  if (region.rest !== undefined) writer.insert(last, region.rest, '\n');
}

/** Collects insertions in the order of the text. */
class Writer {
  readonly #lines: readonly string[];
  readonly #starts: number[] = [];
  readonly #insertions: { at: number; text: string }[] = [];

  constructor(lines: readonly string[]) {
    this.#lines = lines;
    let start = 0;
    for (const line of lines) {
      this.#starts.push(start);
      start += line.length + 1;
    }
  }

  isBlank(line: number): boolean {
    return (this.#lines[line] ?? '').trim() === '';
  }

  insert(line: number, column: number, text: string): void {
    if (text !== '') this.#insertions.push({ at: (this.#starts[line] ?? 0) + column, text });
  }

  written(): { text: string; insertions: readonly Insertion[] } {
    const text = this.#lines.join('\n');
    let written = '';
    let from = 0;
    const insertions = this.#insertions.map(({ at, text: inserted }) => {
      written += text.slice(from, at);
      from = at;
      const insertion = { at: written.length, length: inserted.length };
      written += inserted;
      return insertion;
    });
    return { text: written + text.slice(from), insertions };
  }
}

/** The lines of a block of code, from its opening fence on. */
interface Region {
  /** The line after its last one. */
  end: number;
  isClosed: boolean;
  /** After the marks of its closing fence: the column in that line. */
  closingAt: number;
  /** Where words after the closing fence begin, in its line. */
  rest?: number;
  /** How many marks the longest fence within it has; 0 without one that would close it. */
  innerMarks: number;
  /** By how many columns its lines, and its closing fence, have to move to be in the item. */
  shift: number;
  closingShift: number;
  isUncertain: boolean;
}

/** Where the block of code ends that opens in a line. */
function fenceRegion(lines: readonly string[], start: number, opening: Opening, isComplete: boolean): Region {
  if (opening.isPending) return pendingRegion(lines, start, opening);
  const meant =
    (opening.inner > 0 ? regionInItem(lines, start, opening) : undefined) ??
    (holdsFences(lines, start, opening) ? nestedRegion(lines, start, opening) : undefined);
  if (meant && !(meant.isUncertain && isComplete)) return meant;
  return { ...plainRegion(lines, start, opening), isUncertain: meant?.isUncertain ?? false };
}

/** Whether it is a document, in which fences open and close others. */
function holdsFences(lines: readonly string[], start: number, { info }: Opening): boolean {
  const language = info.split(/[\s{]/)[0] ?? '';
  return DOCUMENT.test(language) || (TEXT.test(language) && BEGINS_DOCUMENT.test(lines[start + 1] ?? ''));
}

/** As CommonMark reads it, but for words after the closing fence. */
function plainRegion(lines: readonly string[], start: number, { marks, inner }: Opening): Region {
  for (let index = start + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (isOutside(line, inner)) return regionTo(index, false);
    const closing = readClosing(line, marks);
    if (closing) return { ...regionTo(index + 1, true), ...closing };
  }
  return regionTo(lines.length, false);
}

/** A fence of at least these marks that closes, and words after it. */
function readClosing(line: string, marks: string): { closingAt: number; rest?: number } | undefined {
  const fence = readMarks(line);
  if (!fence?.marks.startsWith(marks)) return undefined;
  const closingAt = fence.at + fence.marks.length;
  if (fence.after === '') return { closingAt };
  return isProse(fence.after) ? { closingAt, rest: closingAt } : undefined;
}

/** A document up to its own closing fence, over the blocks of code in it. Undefined if its item ends before. */
function nestedRegion(lines: readonly string[], start: number, { marks, inner, info }: Opening): Region | undefined {
  const open: string[] = [marks];
  let innerMarks = 0;
  for (let index = start + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (isOutside(line, inner)) return undefined;
    const fence = readMarks(line);
    const top = open.at(-1) ?? marks;
    if (!fence || fence.marks.length < marks.length || fence.marks[0] !== marks[0]) continue;
    if (columnWidth(line.slice(0, fence.at)) - inner > 3 && fence.after !== '') continue;
    const closing = readClosing(line, top);
    const opens = closing ? opensBare(lines, index, info, open.length) : !isProse(fence.after) && open.length === 1;
    if (opens) open.push(fence.marks);
    else if (closing) open.pop();
    else continue;
    if (open.length === 0) return { ...regionTo(index + 1, true), ...closing, innerMarks };
    innerMarks = Math.max(innerMarks, fence.marks.length);
  }
  return { ...regionTo(lines.length, false), innerMarks, isUncertain: open.length > 0 && innerMarks > 0 };
}

/** In a document, a fence without a language opens a block where a blank line is before it and none after it. */
function opensBare(lines: readonly string[], index: number, info: string, depth: number): boolean {
  if (depth > 1 || !DOCUMENT.test(info)) return false;
  const next = lines[index + 1] ?? '';
  return (lines[index - 1] ?? '').trim() === '' && next.trim() !== '' && !readMarks(next);
}

function isOutside(line: string, inner: number): boolean {
  return line.trim() !== '' && indentation(line) < inner;
}

/**
 * A block of code in a list whose lines, or whose closing fence, are not indented as the item is. Undefined where they
 * are: for code that is indented only its closing fence may be outside, for other code all of it.
 */
function regionInItem(lines: readonly string[], start: number, opening: Opening): Region | undefined {
  const { marks, inner } = opening;
  const first = lines.findIndex((line, index) => index > start && line.trim() !== '');
  if (first === -1) return undefined;
  const isAllOutside = isOutside(lines[first] ?? '', inner) && !isBareFence(lines[first] ?? '', marks);
  if (isAllOutside && /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(lines[first] ?? '')) return undefined;
  for (let index = first; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (isBareFence(line, marks)) {
      const outside = isOutside(line, inner);
      if (!isAllOutside && !outside) return undefined;
      const shift = isAllOutside ? shiftOf(lines.slice(start + 1, index), inner) : 0;
      const closingShift = Math.max(0, inner - indentation(line));
      return { ...regionTo(index + 1, true), closingAt: line.trimEnd().length, shift, closingShift };
    }
    if (!isAllOutside && isOutside(line, inner)) return undefined;
    if (isAllOutside && BEGINS_WITH_MARKS.test(line)) return undefined;
  }
  return isAllOutside ? pendingRegion(lines, start, opening) : undefined;
}

/** All of the text, in the item of the fence. */
function pendingRegion(lines: readonly string[], start: number, { inner }: Opening): Region {
  return { ...regionTo(lines.length, false), shift: shiftOf(lines.slice(start + 1), inner), isUncertain: true };
}

function shiftOf(code: readonly string[], inner: number): number {
  return code.reduce((shift, line) => (line.trim() === '' ? shift : Math.max(shift, inner - indentation(line))), 0);
}

function regionTo(end: number, isClosed: boolean): Region {
  return { end, isClosed, closingAt: 0, innerMarks: 0, shift: 0, closingShift: 0, isUncertain: false };
}
