// Documents of Word before 2007: their text, notes, comments, headers and footers, without headings. Their binary format is
// read by a library, in this process only: it has no network, makes no code of strings, and is ended when it takes too much.
import { lineOfCells } from '../office/package.ts';
import { readBytes } from '../read-bytes.ts';
import { Unreadable, type Extract } from '../source.ts';

/** The whole file is in memory several times while it is read. */
const BYTES_MAX = 64 * 1024 * 1024;

export const extractDoc: Extract = async (path, sink) => {
  const { default: WordExtractor } = await import('word-extractor');
  const bytes = Buffer.from(await readBytes(path, BYTES_MAX));
  if (isLocked(bytes)) throw new Unreadable('encrypted');
  const document = await new WordExtractor().extract(bytes);
  // As it is written: the library would make quotes and dashes plain.
  const asItIs = { filterUnicode: false };
  const texts = [
    linesOnce(document.getHeaders({ ...asItIs, includeFooters: false })),
    document.getBody(asItIs),
    document.getTextboxes(asItIs),
    withoutMarks(document.getFootnotes(asItIs)),
    withoutMarks(document.getEndnotes(asItIs)),
    // The library does not tell what they refer to, or who wrote them.
    document.getAnnotations(asItIs),
    linesOnce(document.getFooters(asItIs)),
  ];
  for (const text of texts) sink.write({ page: null, heading: null, text: paragraphsOf(text) });
  return null;
};

const PAGE_NUMBER = /^\d{0,4}$/;

/** The lines of headers or footers, which each section repeats, without numbers of pages. */
function linesOnce(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines)].filter((line) => !PAGE_NUMBER.test(line)).join('\n');
}

const SECTOR_BYTES = 512;

/** Notes without the tabs that divide them from their marks, which the library leaves out. */
function withoutMarks(notes: string): string {
  return notes.replace(/^[ \t]+/gm, '');
}

/** [MS-DOC] 2.5.2: the file information block begins a sector; its flags are at 10, and the ninth tells of a password. */
function isLocked(bytes: Buffer): boolean {
  for (let at = SECTOR_BYTES; at + 12 <= bytes.length; at += SECTOR_BYTES)
    if (bytes.readUInt16LE(at) === 0xa5ec) return ((bytes[at + 11] ?? 0) & 1) === 1;
  return false;
}

/** A paragraph is a line; cells of tables are divided by tabs. */
function paragraphsOf(text: string): string {
  let paragraphs = '';
  let isRow = false;
  for (const line of text.split(/\r\n|\n|\r/)) {
    const shown = lineOfCells(line.split('\t')) ?? '';
    const wasRow = isRow;
    isRow = line.includes('\t');
    // The rows of a table are one paragraph.
    paragraphs += `${wasRow && isRow ? '\n' : '\n\n'}${shown}`;
  }
  return paragraphs;
}
