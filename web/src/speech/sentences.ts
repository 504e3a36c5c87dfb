// Cuts a Markdown text that may still be written into what is read aloud, sentence by sentence. Code, tables and formulas
// are one word each.
import { plainExcerpt } from '../lib/plain-excerpt.ts';

/** What stands for what cannot be read. */
export interface SkippedWords {
  code: string;
  table: string;
  formula: string;
}

export interface SentenceCutter {
  /** The sentences that are complete and were not given before; all that is left once the text `isWhole`. */
  next(text: string, isWhole: boolean): string[];
}

/** Longer ones are cut at a comma or a space: browsers stop in the middle of what is too long. */
const SENTENCE_CHARS_MAX = 320;

/** Their point ends no sentence. In lower case, without it. */
const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr prof st sr jr vs etc e.g i.e cf al fig no vol approx dept est inc ltd co corp u.s u.k a.m p.m ' +
    'z.b d.h u.a usw bzw ca nr evtl ggf inkl vgl s.o s.u hr fr p.ej sra p.ex env'
  ).split(' '),
);

/** What ends a sentence, with quotes and brackets that close after it. */
const END = /[.!?…]{1,9}["'”’»)\]*_`]{0,9}(?=\s)|[。！？]["'”’»」』）)\]*_]{0,9}/gu;

const FENCE = /^ {0,3}(?:>\s?)*(`{3,}|~{3,})/;
const MATHS = /^\s*(?:\$\$|\\\[)/;
const MATHS_END = /(?:\$\$|\\\])\s*$/;
const TABLE = /^\s*\|/;
const RULE = /^ {0,3}(?:(?:[-*_] *){3,}|:::.*|<!--.*)$/;
/** Headings, items and quotes stand for themselves. */
const OWN_BLOCK = /^\s*(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|>)/;
/** What a line may still become while it is written. */
const UNDECIDED = /^(?:[`~|$\\:<#>*+_-]*|\d{1,9}[.)]?)$/;

export function createSentenceCutter(words: SkippedWords): SentenceCutter {
  /** Of the text, in characters: what was taken. */
  let taken = 0;
  /** What ends the block that is skipped; null outside of one. */
  let closes: ((line: string) => boolean) | null = null;
  let isInTable = false;
  /** Begun and not given. */
  let pending = '';
  return { next };

  function next(text: string, isWhole: boolean): string[] {
    // The text was replaced by a shorter one: what was said is said.
    if (text.length < taken) taken = text.length;
    const said: string[] = [];
    for (let end = text.indexOf('\n', taken); end >= 0; end = text.indexOf('\n', taken)) {
      readLine(text.slice(taken, end), said);
      taken = end + 1;
    }
    const rest = text.slice(taken);
    if (isWhole) {
      if (rest !== '') readLine(rest, said);
      taken = text.length;
      flush(said);
    } else if (!closes && !isOfBlock(rest) && !UNDECIDED.test(rest.trim())) readBegun(rest, said);
    return said;
  }

  function readLine(line: string, said: string[]): void {
    if (closes) {
      if (closes(line)) closes = null;
      return;
    }
    const block = blockAt(line, words);
    const goesOn = isInTable && block?.word === words.table;
    isInTable = block?.word === words.table;
    if (goesOn) return;
    if (block) return skip(block, said);
    if (RULE.test(line) || line.trim() === '') return flush(said);
    if (OWN_BLOCK.test(line)) flush(said);
    pending = pending === '' ? line : `${pending} ${line.trim()}`;
    if (/^\s*#{1,6}\s/.test(line)) flush(said);
    else give(said);
  }

  /** The line that is being written: its sentences that have ended. */
  function readBegun(line: string, said: string[]): void {
    if (OWN_BLOCK.test(line)) flush(said);
    const before = pending === '' ? '' : `${pending} `;
    const length = lastEnd(before + line) - before.length;
    if (length <= 0) return;
    pending = before + line.slice(0, length);
    taken += length;
    give(said);
  }

  function skip({ word, closes: until }: Block, said: string[]): void {
    flush(said);
    // Two blocks of code, one behind the other, are one for the ear.
    if (said.at(-1) !== word) said.push(word);
    closes = until;
  }

  /** Gives the sentences that have ended. */
  function give(said: string[]): void {
    const length = lastEnd(`${pending} `);
    if (length <= 0) return;
    addSentences(pending.slice(0, length), said);
    pending = pending.slice(length).trimStart();
  }

  function flush(said: string[]): void {
    addSentences(pending, said);
    pending = '';
  }
}

interface Block {
  /** What is said for it. */
  word: string;
  /** What ends it; null where it ends with its line. */
  closes: ((line: string) => boolean) | null;
}

/** The block that begins with this line and is not read. */
function blockAt(line: string, { code, formula, table }: SkippedWords): Block | null {
  const [, fence] = FENCE.exec(line) ?? [];
  if (fence !== undefined)
    return {
      word: code,
      closes: (one) =>
        one
          .trimStart()
          .replace(/^(?:>\s?)*/, '')
          .startsWith(fence),
    };
  if (MATHS.test(line)) {
    const isWhole = MATHS_END.test(line.trim().slice(2));
    return { word: formula, closes: isWhole ? null : (one) => MATHS_END.test(one) };
  }
  return TABLE.test(line) ? { word: table, closes: null } : null;
}

function isOfBlock(line: string): boolean {
  return FENCE.test(line) || MATHS.test(line) || TABLE.test(line) || RULE.test(line);
}

/** Where the last sentence of this Markdown ends; 0 where none does. */
function lastEnd(text: string): number {
  return ends(text).at(-1) ?? 0;
}

function ends(text: string): number[] {
  return [...text.matchAll(END)].flatMap((match) => {
    const end = match.index + match[0].length;
    return isEnd(text, match.index, end) ? [end] : [];
  });
}

/** Not within code, a link or a formula, and not behind an abbreviation or a number. */
function isEnd(text: string, mark: number, end: number): boolean {
  const before = text.slice(0, mark);
  const whole = text.slice(0, end);
  const isOpen = count(whole, /`/g) % 2 === 1 || isInLink(before) || isInFormula(before);
  if (isOpen) return false;
  if (text[mark] !== '.' || text[mark + 1] === '.') return true;
  const [word = ''] = /[\p{L}\p{N}.]{1,40}$/u.exec(before.slice(-40)) ?? [];
  const isShort = ABBREVIATIONS.has(word.toLowerCase()) || /^(?:\p{L}|\d{1,2}|(?:\p{L}\.)+\p{L})$/u.test(word);
  // What goes on in lower case is the same sentence.
  return !isShort && !/^\s+\p{Ll}/u.test(text.slice(end));
}

function isInLink(text: string): boolean {
  const opened = text.lastIndexOf('[');
  const closed = text.indexOf(']', opened);
  if (opened < 0) return false;
  return closed < 0 || (text[closed + 1] === '(' && !text.includes(')', closed));
}

/** `$5` is money: a formula begins with no digit. */
function isInFormula(text: string): boolean {
  return count(text, /(?<!\\)\$(?!\d)/g) % 2 === 1 && /\$(?!\d)[^$\s][^$]*$/.test(text);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function addSentences(markdown: string, said: string[]): void {
  let from = 0;
  for (const end of [...ends(`${markdown} `), markdown.length]) {
    const sentence = plainExcerpt(markdown.slice(from, end), markdown.length);
    from = end;
    if (!/[\p{L}\p{N}]/u.test(sentence)) continue;
    said.push(...shorter(sentence));
  }
}

function shorter(sentence: string): string[] {
  if (sentence.length <= SENTENCE_CHARS_MAX) return [sentence];
  const most = sentence.slice(0, SENTENCE_CHARS_MAX);
  const at = [/^.*[,;:，；：、]/su, /^.*\s/su].map((pattern) => pattern.exec(most)?.[0].length ?? 0);
  const end = at.find((one) => one > SENTENCE_CHARS_MAX / 3) ?? SENTENCE_CHARS_MAX;
  return [sentence.slice(0, end).trim(), ...shorter(sentence.slice(end).trim())];
}
