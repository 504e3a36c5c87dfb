// Tests of this room: tests/unit/research, tests/integration/research.

// Checks a report without a model: each claim names a source that there is, and each quote stands in a source.
import { citationMarksIn } from '@parley/schema/messages/citation-marks';
import type { Marks } from './marks.ts';
import type { Source } from './rows.ts';

export interface CheckedReport {
  text: string;
  /** Paragraphs, items and rows that name no source. */
  unsourced: number;
  /** Quotes that are in no source. */
  unquoted: number;
}

/** Shorter lines are no claims. */
const CLAIM_WORDS_MIN = 6;
/** Shorter quotes are names and words. */
const QUOTE_CHARS_MIN = 20;
const QUOTE = /["“„«]([^"“”„«»\n]{1,2000})["”“»]/g;

interface Known {
  /** The numbers that a claim may name. */
  numbers: ReadonlySet<number>;
  /** What sources say word by word. */
  quotes: readonly string[];
}

/** `isSaid` marks are left out where there is nothing to mark. The work is linear in the text. */
export function checkReport(
  text: string,
  { numbers, quotes }: Known,
  { noSource, noQuote }: Pick<Marks, 'noSource' | 'noQuote'>,
): CheckedReport {
  let unsourced = 0;
  let unquoted = 0;
  const said = quotes.map(plain);
  const checked = blocksOf(text).map((block) => {
    if (!block.isClaim) return block.text;
    const quoted = block.text.replaceAll(QUOTE, (whole, quote: string) => {
      if (quote.length < QUOTE_CHARS_MIN || said.some((one) => one.includes(plain(quote)))) return whole;
      unquoted += 1;
      return `${whole} ${noQuote}`;
    });
    if (hasSource(block.text, numbers) || wordsIn(block.text) < CLAIM_WORDS_MIN) return quoted;
    unsourced += 1;
    return markedAtEnd(quoted, noSource);
  });
  return { text: checked.join('\n'), unsourced, unquoted };
}

function hasSource(text: string, numbers: ReadonlySet<number>): boolean {
  for (const { n } of citationMarksIn(text)) if (numbers.has(n)) return true;
  return false;
}

/** Within the last cell of a row of a table. */
function markedAtEnd(text: string, mark: string): string {
  const end = text.trimEnd();
  return end.startsWith('|') && end.endsWith('|') ? `${end.slice(0, -1)} ${mark} |` : `${end} ${mark}`;
}

interface Block {
  text: string;
  isClaim: boolean;
}

/** Paragraphs, items and rows, each with its lines; headings, rules, code and blank lines claim nothing. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let isCode = false;
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    const last = blocks.at(-1);
    const trimmed = line.trim();
    const isFence = /^(`{3,}|~{3,})/.test(trimmed);
    if (isFence) isCode = !isCode;
    const isHead = /^\|?[\s:|-]+\|?$/.test(lines[at + 1]?.trim() ?? '') && trimmed.startsWith('|');
    const isClaim =
      !isCode && !isFence && !isHead && trimmed !== '' && !/^(#{1,6} |\|?[\s:|-]+\|?$|>? ?\[!)/.test(trimmed);
    const isNew = /^([-*+] |\d{1,3}[.)] |\||>)/.test(trimmed);
    if (isClaim && !isNew && last?.isClaim && !last.text.trimStart().startsWith('|')) last.text += `\n${line}`;
    else blocks.push({ text: line, isClaim });
  }
  return blocks;
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
}

/** As texts are compared: without differences of spaces, case and quotation marks. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The notes of a step, whose quotes keep their marks only where a source says so. */
export function withCheckedQuotes(notes: string, sources: readonly string[]): string {
  const said = sources.map(plain);
  return notes.replaceAll(QUOTE, (whole, quote: string) => {
    const isSaid = quote.length < QUOTE_CHARS_MIN || said.some((one) => one.includes(plain(quote)));
    return isSaid ? whole : quote;
  });
}

/** What notes quote, which was checked when they were written. */
export function quotesIn(notes: string): string[] {
  return Array.from(notes.matchAll(QUOTE), ([, quote = '']) => quote);
}

/** The numbers of sources that a text names. */
export function numbersIn(text: string): number[] {
  return [...new Set([...citationMarksIn(text)].map(({ n }) => n))];
}

/** The list below a report: the sources that it names. */
export function sourceList(text: string, sources: readonly Source[]): string {
  const named = new Set(numbersIn(text));
  const listed = sources.filter(({ n }) => named.has(n)).toSorted((a, b) => a.n - b.n);
  if (listed.length === 0) return '';
  const lines = listed.map(
    ({ n, title, url }) =>
      `- [${n}] [${title.replaceAll(/[[\]\\]/g, '')}](<${url.replaceAll(/[<>]/g, encodeURIComponent)}>)`,
  );
  return `\n\n---\n\n${lines.join('\n')}\n`;
}
