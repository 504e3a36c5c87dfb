// Tests of this room: tests/unit/retrieval, tests/integration/retrieval.

// Cuts the text of a file into chunks that are searched and shown to a model.
import { cleanText } from '@parley/schema/clean-text';
import { estimateTokens } from '../catalog/count-tokens.ts';
import { Unreadable, type Section, type Sink } from './extract/source.ts';
import type { Chunk } from './extracted.ts';

const CHUNK_LENGTH = 1600;
/** How much of its predecessor's end a chunk repeats at most, so that what stands at a cut is whole in one of them. */
const OVERLAP_CHARS_MAX = 200;
/** A section shorter than this is joined with the next one of its page: headings alone would find nothing. */
const SECTION_CHARS_MIN = 400;
/** The names of columns stand in every chunk; the longer they are, the fewer rows fit. */
const COLUMNS_LENGTH = 400;
const HEADING_LENGTH = 200;
const CHUNKS_MAX = 20_000;

export interface Chunker extends Sink {
  /** To be called once, after the last section. */
  finish(): { chunks: Chunk[]; characters: number };
}

interface Pending {
  page: number | null;
  heading: string | null;
  text: string;
}

/**
 * Cuts sections as they come. Chunks end at paragraphs, else lines, sentences or words; none spans two pages, and a
 * heading begins a new one unless the text before it is short.
 * @param chunksMax for tests
 */
export function createChunker(chunksMax = CHUNKS_MAX): Chunker {
  const chunks: Chunk[] = [];
  let characters = 0;
  let pending: Pending | null = null;
  /** The heading and the names of the last columns that are too long to stand in every chunk. */
  let longNames = '';

  function write(section: Section): void {
    const text = tidy(section.text);
    if (text === '') return;
    characters += text.length;
    if (section.columns !== undefined) {
      flush();
      cutRows(section, text);
      return;
    }
    if (pending && pending.page === section.page && isShort(pending.text, text)) {
      pending.text += `\n\n${text}`;
      return;
    }
    flush();
    pending = { page: section.page, heading: section.heading, text };
  }

  function flush(): void {
    if (!pending) return;
    const { page, heading, text } = pending;
    pending = null;
    for (const body of cutText(text)) add(page, heading, body);
  }

  function cutRows({ page, heading, columns = '' }: Section, text: string): void {
    const all = tidy(columns);
    const names =
      all.length <= COLUMNS_LENGTH ? all : all.slice(0, lengthOfPiece(all.slice(0, COLUMNS_LENGTH), ROW_PLACES)).trim();
    if (names !== all && `${heading}\n${all}` !== longNames) {
      longNames = `${heading}\n${all}`;
      for (const body of joinRows(all, CHUNK_LENGTH)) add(page, heading, body);
    }
    for (const rows of joinRows(text, CHUNK_LENGTH - names.length - 1)) {
      add(page, heading, names === '' ? rows : `${names}\n${rows}`);
    }
  }

  function add(page: number | null, heading: string | null, body: string): void {
    if (chunks.length === chunksMax) throw new Unreadable('too_large');
    const title = heading && cut(tidy(heading).replaceAll('\n', ' '), HEADING_LENGTH);
    chunks.push({ n: chunks.length, page, heading: title || null, body, tokens: estimateTokens(body) });
  }

  return {
    write,
    finish() {
      flush();
      return { chunks, characters };
    },
  };
}

/**
 * The text of neighbouring chunks without what they repeat.
 * @param bodies of one page and heading, in their order
 */
export function joinBodies(bodies: readonly string[]): string {
  let joined = '';
  for (const body of bodies) {
    const repeated = overlapOf(joined, body);
    joined += repeated === 0 && joined !== '' ? `\n${body}` : body.slice(repeated);
  }
  return joined;
}

/** How many characters at the end of `before` are those at the start of `after`. */
function overlapOf(before: string, after: string): number {
  for (let length = Math.min(OVERLAP_CHARS_MAX, before.length, after.length); length > 0; length--) {
    if (before.endsWith(after.slice(0, length))) return length;
  }
  return 0;
}

function isShort(before: string, after: string): boolean {
  return before.length < SECTION_CHARS_MIN && before.length + 2 + after.length <= CHUNK_LENGTH;
}

/** Control characters other than tab and line feed; some PDF fonts yield them. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\ufeff]/g;

function tidy(text: string): string {
  const lines = cleanText(text).replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\u00a0', ' ');
  const plain = lines.replace(CONTROLS, '');
  return plain.trim() === '' ? '' : plain.trimEnd().replace(/^\n+/, '');
}

/** Yields pieces of at most `CHUNK_LENGTH` that overlap. Looks at each character a bounded number of times. */
function* cutText(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const isLast = text.length - start <= CHUNK_LENGTH;
    const end = isLast ? text.length : start + lengthOfPiece(text.slice(start, start + CHUNK_LENGTH));
    const body = text.slice(start, end).trim();
    if (body !== '') yield body;
    if (isLast) return;
    start = startAfter(text, end);
  }
}

const PARAGRAPH = /\n[ \t]*\n/g;
/** Chinese and Japanese sentences end without a space. */
const SENTENCE = /[.!?…]["'”’)\]]{0,2}(?=\s)|[。！？]/g;
const SPACE = /\s/g;

const TEXT_PLACES = [PARAGRAPH, /\n/g, SENTENCE, SPACE];
/** Cells of a row, else words. */
const ROW_PLACES = [/ \| /g, SPACE];

/** Where a full window is cut: at the last best place of its second half. */
function lengthOfPiece(window: string, places: readonly RegExp[] = TEXT_PLACES): number {
  for (const pattern of places) {
    const end = lastEnd(window, pattern);
    if (end > window.length / 2) return end;
  }
  return isHigh(window, window.length - 1) ? window.length - 1 : window.length;
}

/** The end of the last match, 0 without one. */
function lastEnd(text: string, pattern: RegExp): number {
  let end = 0;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

/** Where the piece after a cut begins: at a sentence, else a word, of the last characters before the cut. */
function startAfter(text: string, end: number): number {
  const from = end - OVERLAP_CHARS_MAX;
  const overlap = text.slice(from, end);
  for (const pattern of [PARAGRAPH, SENTENCE, SPACE]) {
    const match = overlap.matchAll(pattern).next().value;
    const start = match ? match.index + match[0].length : overlap.length;
    if (start < overlap.length) return from + start;
  }
  return isHigh(text, from - 1) ? from + 1 : from;
}

/** Whether the first half of a surrogate pair stands there; `cleanText` has left no lone ones. */
function isHigh(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}

/** Whole rows, as many as fit; a row that is longer alone is cut between its cells. */
function* joinRows(text: string, length: number): Generator<string> {
  let rows = '';
  for (const row of text.split('\n')) {
    if (row.trim() === '') continue;
    if (rows !== '' && rows.length + 1 + row.length > length) {
      yield rows;
      rows = '';
    }
    if (row.length > length) {
      for (let at = 0; at < row.length;) {
        const isLast = row.length - at <= length;
        const end = isLast ? row.length : at + lengthOfPiece(row.slice(at, at + length), ROW_PLACES);
        const piece = row.slice(at, end).trim();
        if (piece !== '') yield piece;
        at = end;
      }
      continue;
    }
    rows += rows === '' ? row : `\n${row}`;
  }
  if (rows !== '') yield rows;
}

/** At most `length` units, never half of a pair. */
function cut(text: string, length: number): string {
  if (text.length < length) return text;
  return text.slice(0, isHigh(text, length - 1) ? length - 1 : length);
}
