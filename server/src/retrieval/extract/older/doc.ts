// Documents of Word before 2007: their text and notes, without headings. Their binary format is read by a library, in
// this process only: it has no network, makes no code of strings, and is ended when it takes too much.
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
    document.getBody(asItIs),
    document.getTextboxes(asItIs),
    document.getFootnotes(asItIs),
    document.getEndnotes(asItIs),
  ];
  for (const text of texts) sink.write({ page: null, heading: null, text: paragraphsOf(text) });
  return null;
};

const SECTOR_BYTES = 512;

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
