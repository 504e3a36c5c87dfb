// Reference links and footnotes tie the blocks of an answer together, but each block is parsed by itself: what other
// blocks define is put before its text. So they work in an answer of any length, and while it is written.
import { Lexer } from 'marked';
import { readFence } from '../code/fence.ts';

export interface Footnote {
  /** From 1 on, in the order of the text. */
  number: number;
  /** The note itself, as Markdown. */
  text: string;
}

/** What a block needs to know of the others. */
export interface Labels {
  /** Definitions of links as lines of Markdown, by label. */
  links: ReadonlyMap<string, string>;
  /** Numbers of footnotes, by label. */
  numbers: ReadonlyMap<string, number>;
}

export interface References {
  /** The same object until a label or a number changes. */
  labels: Labels;
  footnotes: readonly Footnote[];
}

/** What one block defines and mentions. */
export interface Found {
  links: readonly (readonly [label: string, line: string])[];
  footnotes: readonly { label: string; text: string | null }[];
  mentions: readonly string[];
}

export const NO_LABELS: Labels = { links: new Map(), numbers: new Map() };
export const NO_REFERENCES: References = { labels: NO_LABELS, footnotes: [] };
export const FOUND_NOTHING: Found = { links: [], footnotes: [], mentions: [] };

const LINK = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*\[(?!\^)[^\]]+\]:[ \t]*\S?/m;
const FOOTNOTE = /^ {0,3}\[\^([^\]\s]+)\]:[ \t]*/;
const INNER_FOOTNOTE = /^[ \t>]+(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*\[\^([^\]\s]+)\]:/gm;
const MENTION = /\[\^([^\]\s]+)\](?!:)/g;
const CODE_SPAN = /(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g;

/** Whether a block is a footnote: it is shown below the answer, not where it stands. */
export function isFootnote(block: string): boolean {
  return block.includes('[^') && FOOTNOTE.test(withoutLead(block));
}

/** What a block defines and mentions; code defines and mentions nothing. */
export function findReferences(block: string): Found {
  const hasNotes = block.includes('[^');
  if (!hasNotes && !block.includes(']:')) return FOUND_NOTHING;
  if (readFence(block) || /^(?: {4}|\t)/.test(block)) return FOUND_NOTHING;
  return {
    links: LINK.test(block) ? linksOf(block) : [],
    footnotes: hasNotes ? footnotesOf(block) : [],
    mentions: hasNotes ? [...block.replace(CODE_SPAN, '').matchAll(MENTION)].map(([, label = '']) => key(label)) : [],
  };
}

/** The references of all blocks. Objects of `previous` that would be equal stay the same. */
export function joinReferences(found: readonly Found[], previous: References): References {
  if (found.every((one) => one === FOUND_NOTHING)) return NO_REFERENCES;
  const links = new Map<string, string>();
  const notes = new Map<string, string | null>();
  const others: string[] = [];
  for (const { links: defined, footnotes } of found) {
    for (const [label, line] of defined) if (!links.has(label)) links.set(label, line);
    for (const { label, text } of footnotes) {
      if (!notes.has(label)) notes.set(label, text);
      else if (text !== null) others.push(text);
    }
  }
  const mentioned = found.flatMap(({ mentions }) => mentions).filter((label) => notes.has(label));
  // A note that nothing refers to is still said, after the others.
  const labels = [...new Set([...mentioned, ...notes.keys()])];
  const numbers = new Map(labels.map((label, index) => [label, index + 1]));
  const texts = labels.map((label) => notes.get(label) ?? null).concat(others);
  const footnotes = texts.flatMap((text, index) => (text === null ? [] : [{ number: index + 1, text }]));
  const isSame = isSameMap(links, previous.labels.links) && isSameMap(numbers, previous.labels.numbers);
  if (isSame && isSameNotes(footnotes, previous.footnotes)) return previous;
  return { labels: isSame ? previous.labels : { links, numbers }, footnotes };
}

/** Lines of Markdown that define what a text refers to; they go before it. Empty for most texts. */
export function definitionsFor(text: string, { links, numbers }: Labels): string {
  if (links.size === 0 && numbers.size === 0) return '';
  const notes = new Set<string>();
  for (const [, label = ''] of numbers.size > 0 ? text.matchAll(/\[\^([^\]\s]+)\]/g) : []) {
    const number = numbers.get(key(label));
    if (number !== undefined) notes.add(`[^${label}]: ${number}\n`);
  }
  const lines = new Set<string>();
  for (const [, label = ''] of links.size > 0 ? text.matchAll(/\[((?:[^[\]\\]|\\.)+)\]/g) : []) {
    const line = links.get(key(label));
    if (line !== undefined) lines.add(`${line}\n`);
  }
  if (lines.size + notes.size === 0) return '';
  // Links come first, which cannot interrupt a note. Indented code would be more of a note: another definition ends it.
  const end = notes.size > 0 ? '\n[parley-end]: #\n' : '';
  return `${[...lines, ...notes].join('')}${end}\n`;
}

function linksOf(block: string): Found['links'] {
  const lexer = new Lexer({ gfm: true });
  lexer.blockTokens(block, []);
  return Object.entries(lexer.tokens.links)
    .filter(([label]) => !label.startsWith('^'))
    .map(([label, { href, title }]) => {
      const named = title ? ` "${title.replace(/["\\]/g, '\\$&').replace(/\s+/g, ' ')}"` : '';
      return [key(label), `[${label}]: <${(href ?? '').replace(/[<>\\]/g, '\\$&')}>${named}`];
    });
}

/** A note within a list or a quote stays where it is; it has a number all the same. */
function footnotesOf(block: string): Found['footnotes'] {
  const own = FOOTNOTE.exec(withoutLead(block));
  const inner = [...block.matchAll(INNER_FOOTNOTE)].map(([, label = '']) => ({ label: key(label), text: null }));
  if (!own) return inner;
  const text = block
    .trimStart()
    .slice(own[0].length)
    .replace(/^ {1,4}/gm, '')
    .trim();
  return [{ label: key(own[1] ?? ''), text }];
}

/** Without blank lines before it. */
function withoutLead(block: string): string {
  return block.replace(/^(?:[ \t]*\n)+/, '');
}

/** Labels are compared as the parser compares them. */
function key(label: string): string {
  return label.replace(/\s+/g, ' ').trim().toLowerCase().toUpperCase();
}

function isSameNotes(some: readonly Footnote[], others: readonly Footnote[]): boolean {
  return some.length === others.length && some.every(({ text }, index) => others[index]?.text === text);
}

function isSameMap<T>(some: ReadonlyMap<string, T>, others: ReadonlyMap<string, T>): boolean {
  return some.size === others.size && [...some].every(([name, value]) => others.get(name) === value);
}
