// Text as it is: plain text, code, JSON, XML; Markdown under its headings; CSV as rows under its first one.
import { createHeadings } from './headings.ts';
import { readText } from './encodings/decode.ts';
import type { Extract, Sink } from './source.ts';

export const extractPlain: Extract = async (path, sink) => {
  const lines: string[] = [];
  let length = 0;
  for await (const line of readLines(path, sink)) {
    lines.push(line);
    length += line.length + 1;
    // Written in stretches that end at an empty line, so that a cut between them falls where a chunk would end.
    if (length < STRETCH_LENGTH || (line.trim() !== '' && length < 2 * STRETCH_LENGTH)) continue;
    write();
  }
  write();
  return null;

  function write(): void {
    sink.write({ page: null, heading: null, text: lines.join('\n') });
    lines.length = 0;
    length = 0;
  }
};

const STRETCH_LENGTH = 64 * 1024;

export const extractMarkdown: Extract = async (path, sink) => {
  const headings = createHeadings();
  let lines: string[] = [];
  let fence: string | null = null;
  for await (const line of readLines(path, sink)) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1] ?? null;
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    const [, hashes, title = ''] = (fence === null && /^ {0,3}(#{1,6})(?:[ \t]+(\S.*))?$/.exec(line)) || [];
    if (hashes !== undefined) {
      write();
      headings.enter(hashes.length, withoutHashes(title));
    }
    lines.push(line);
  }
  write();
  return null;

  function write(): void {
    if (lines.length > 0) sink.write({ page: null, heading: headings.path(), text: lines.join('\n') });
    lines = [];
  }
};

/** A heading may be closed by hashes too. */
function withoutHashes(title: string): string {
  let end = title.length;
  while (title[end - 1] === '#' || title[end - 1] === ' ') end--;
  return title.slice(0, end);
}

const BATCH_ROWS = 1000;
/** A record that is longer has a quote that nobody closes: its next line begins another. */
const RECORD_LENGTH = 20_000;

/** A record is kept as it is written, with line breaks inside its quotes as spaces. */
export const extractCsv: Extract = async (path, sink) => {
  let columns: string | null = null;
  let rows: string[] = [];
  let record = '';
  for await (const line of readLines(path, sink)) {
    record = record === '' ? line : `${record} ${line}`;
    if (hasOpenQuote(record) && record.length < RECORD_LENGTH) continue;
    if (record.trim() !== '') add(record);
    record = '';
  }
  if (record.trim() !== '') add(record);
  if (rows.length === 0 && columns !== null) sink.write({ page: null, heading: null, text: columns });
  write();
  return null;

  function add(row: string): void {
    if (columns === null) columns = row;
    else rows.push(row);
    if (rows.length >= BATCH_ROWS) write();
  }

  function write(): void {
    if (rows.length > 0) sink.write({ page: null, heading: null, text: rows.join('\n'), columns: columns ?? '' });
    rows = [];
  }
};

/** A doubled quote inside quotes closes and opens them. */
function hasOpenQuote(record: string): boolean {
  let isOpen = false;
  for (let at = record.indexOf('"'); at >= 0; at = record.indexOf('"', at + 1)) isOpen = !isOpen;
  return isOpen;
}

/** A line is cut after this much, so that a file without line breaks is read in pieces too. */
const LINE_LENGTH = 1024 * 1024;

async function* readLines(path: string, { onGuess }: Sink): AsyncGenerator<string> {
  let rest = '';
  for await (const text of readText(path, onGuess && { onGuess })) {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length < LINE_LENGTH) continue;
    yield rest;
    rest = '';
  }
  if (rest !== '') yield rest;
}
