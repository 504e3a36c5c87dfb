// Passages as a model gets them, numbered, and the marks of its answer that name these numbers.
import { citationMarksIn } from '@parley/schema/messages/citation-marks';
import type { Citation, MessagePart } from '@parley/schema/messages/messages';
import type { CitablePassage } from '../generation/delta.ts';
import type { FoundPassage } from './passages.ts';
import { textTokens } from './rank.ts';

/** A passage under its number in the prompt: its place in the list, from 1. */
export interface ShownPassage extends FoundPassage {
  /** Of its file. */
  name: string;
  /** Of its file, where it was guessed. */
  encoding?: string;
}

const ASK =
  'After each statement that rests on one of the numbered passages of the attached files write its number in square brackets, like [1].';
const FOUND = 'These passages of the attached files were found for the question.';

/**
 * Text for the model; empty without passages.
 * @param before how many passages of files that are shown whole have the first numbers
 */
export function formatPassages(passages: readonly ShownPassage[], before = 0): string {
  if (passages.length === 0) return before === 0 ? '' : ASK;
  const shown = passages.map((passage, at) => formatPassage(passage, before + at + 1));
  return [...shown, `${FOUND} ${ASK}`].join('\n');
}

/** One passage under its number. */
export function formatPassage({ body, ...where }: ShownPassage, number: number): string {
  return `[${number}] ${fileBlock(where, body)}`;
}

/** Where a text comes from. */
export type BlockSource = Pick<ShownPassage, 'name' | 'page' | 'encoding'> & { heading?: string | null };

/** The text of a file, or of a page or section of it, between marks that the text itself cannot end. */
export function fileBlock({ name, page, heading, encoding }: BlockSource, text: string): string {
  const attributes = [
    attribute('name', name),
    page === null ? '' : attribute('page', String(page)),
    heading ? attribute('section', heading) : '',
    encoding === undefined ? '' : attribute('note', `The encoding ${encoding} is a guess: letters may be wrong.`),
  ];
  return `<file${attributes.join('')}>\n${text.replaceAll('</file>', '<\\/file>')}\n</file>`;
}

function attribute(name: string, value: string): string {
  return ` ${name}="${value.replaceAll('"', "'").replaceAll(/\s+/g, ' ')}"`;
}

const QUOTE_MAX = 300;
const CHARS_BEFORE_MARK = 400;

/** The parts of an answer with its citations. Those that a part has already stay. */
export function withCitations(parts: readonly MessagePart[], passages: readonly CitablePassage[]): MessagePart[] {
  if (passages.length === 0) return [...parts];
  return parts.map((part) => {
    if (part.type !== 'text') return part;
    const before = part.citations ?? [];
    const after = Math.max(-1, ...before.map(({ at }) => at));
    const citations = [...before, ...citationsIn(part.text, passages).filter(({ at }) => at > after)];
    return citations.length > 0 ? { ...part, citations } : part;
  });
}

/** The marks of a text that name a passage. */
export function citationsIn(text: string, passages: readonly CitablePassage[]): Citation[] {
  return citationMarksIn(text).flatMap(({ at, n: number }) => {
    const passage = passages[number - 1];
    if (!passage) return [];
    const { fileId, name, page, n, heading, body } = passage;
    const quote = closestSentence(body, text.slice(Math.max(0, at - CHARS_BEFORE_MARK), at));
    return [{ at, fileId, name, page, n, quote, ...(heading !== null && { heading }) }];
  });
}

/** The sentence of a passage that shares most with the end of what an answer says. */
function closestSentence(body: string, said: string): string {
  const sentence =
    said
      .split(/(?<=[.!?。！？])\s+|\n+/)
      .filter((one) => one.trim() !== '')
      .at(-1) ?? '';
  const wanted = new Set(textTokens(sentence));
  let best = { text: '', score: -1 };
  for (const text of body.split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/)) {
    const tokens = new Set(textTokens(text));
    const shared = [...tokens].filter((token) => wanted.has(token)).length;
    const score = shared / Math.sqrt(tokens.size + 1);
    if (text.trim() !== '' && score > best.score) best = { text: text.trim(), score };
  }
  return best.text.length <= QUOTE_MAX ? best.text : `${best.text.slice(0, QUOTE_MAX).toWellFormed()}…`;
}

/**
 * The text of an earlier answer without its marks: the passages that they number are not shown again, and other ones
 * may have their numbers.
 */
export function withoutMarks(parts: readonly MessagePart[]): string {
  return parts.map((part) => (part.type === 'text' ? strip(part.text, part.citations ?? []) : '')).join('');
}

function strip(text: string, citations: readonly Citation[]): string {
  let plain = text;
  for (const { at } of citations.toSorted((a, b) => b.at - a.at)) {
    const mark = /^\[\d{1,3}\]/.exec(plain.slice(at))?.[0];
    if (mark) plain = plain.slice(0, at).replace(/ $/, '') + plain.slice(at + mark.length);
  }
  return plain;
}
