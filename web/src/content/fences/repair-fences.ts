// Models write fences that CommonMark reads as something else: blocks of code within a document that has as many marks, a
// fence at the end of a sentence, words after a closing fence, and code in a list that is not indented as its fence is.
// Here they become what was meant, by characters that are only inserted.
import { fenceRegion, type Region } from './fence-region.ts';
import { endOfHtml, indentation, readOpening, splitOpening, columnWidth, type Opening } from './fence-lines.ts';

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
