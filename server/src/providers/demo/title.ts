/** Makes a short title from the user's words, without a language model. */
import type { Turn } from './turns.ts';

const WORDS_MAX = 5;

// Openings that say nothing about the subject.
const openings = new Set(
  (
    'please can could would will you i we me us my how do does did to what is are was the a an of about tell give show ' +
    'write make create explain describe help happens hi hello hey let want need like got any some that this it in for be there'
  ).split(' '),
);

const small = new Set('a an and as at but by for from in into of on or the to with'.split(' '));

// Requests with a lower token limit are likely for a title.
const TITLE_TOKENS = 64;

interface Prompt {
  messages: readonly Turn[];
  /** Not streamed. */
  isWhole?: boolean;
  maxTokens?: number | undefined;
}

/** Whether the prompt contains the word "title" and wants a whole or a very short answer. */
export function asksForTitle({ isWhole = false, maxTokens = Infinity, messages }: Prompt): boolean {
  return (isWhole || maxTokens <= TITLE_TOKENS) && messages.some(({ text }) => asking.test(text));
}

/** Two to five words in title case and in the user's script; "New Conversation" where there are no words at all. */
export function demoTitle(text: string): string {
  const all = wordsOf(text);
  const subject = all.slice(all.findIndex(({ word }) => !openings.has(word.toLowerCase())));
  const words = (subject.length >= 2 || isDense(all) ? subject : all).slice(0, WORDS_MAX);
  while (words.length > 2 && small.has(words.at(-1)?.word.toLowerCase() ?? '')) words.pop();
  return words.map(({ word, gap }, i) => (i === 0 ? '' : gap) + capital(word, i)).join('') || 'New Conversation';
}

/**
 * Finds the user's words in a title prompt: in a message that gives the exchange as `User: ... Assistant: ...`, in
 * `<user>` tags or in quotes, else in the first user message that is not the asking itself.
 */
export function userTextOfTitlePrompt(messages: readonly Turn[]): string {
  for (const { text } of messages) {
    const quoted = labelledIn(text) || taggedIn(text);
    if (quoted) return withoutQuotes(quoted);
  }
  const users = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  const talk = users.find((text) => !asking.test(text)) ?? users[0] ?? '';
  const lines = talk.split('\n').filter((line) => users.length > 1 || !asking.test(line));
  const rest = lines.join('\n').trim();
  return rest === '' ? talk.slice(talk.lastIndexOf(':') + 1) : rest;
}

const asking = /\btitle\b/i;

/**
 * The text after the user's label, up to the line with the assistant's. Line by line: a prompt may be of any length.
 */
function labelledIn(text: string): string | undefined {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => userLabel.test(line));
  if (first === -1) return undefined;
  const after = lines.findIndex((line, n) => n > first && otherLabel.test(line));
  const [opening = '', ...rest] = lines.slice(first, after === -1 ? undefined : after);
  return [opening.replace(userLabel, ''), ...rest].join('\n').trimStart();
}

const userLabel = /^[|>*#\s]*(?:user|human|question|message)\b\**\s*:\**\s*/i;

const otherLabel = /^[|>*#\s]*(?:assistant|ai|response|reply|answer|title|bot|model)\b.*:/i;

/** The text between the user's tag and the next closing one. */
function taggedIn(text: string): string | undefined {
  const opening = /<(?:user|human|question|message)>/i.exec(text);
  if (!opening) return undefined;
  const start = opening.index + opening[0].length;
  const end = text.indexOf('</', start);
  return end === -1 ? undefined : text.slice(start, end).trim();
}

function withoutQuotes(text: string): string {
  return text.trim().replace(/^["“'`]+|(?<!["”'`])["”'`]+$/g, '');
}

type Word = { word: string; gap: string };

function wordsOf(text: string): Word[] {
  const clean = text.replace(/\[\[[^\][]*\]\]|```[\s\S]*?(?:```|$)|https?:\/\/\S+/g, ' ').slice(0, 500);
  const words: Word[] = [];
  let end = -1;
  for (const { segment, index, isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(clean)) {
    if (!isWordLike) continue;
    // Chinese, Japanese and Thai write their words without a blank between.
    words.push({ word: segment, gap: index === end ? '' : ' ' });
    end = index + segment.length;
  }
  return words;
}

function isDense(words: Word[]): boolean {
  return words.some(({ gap }) => gap === '');
}

function capital(word: string, index: number): string {
  if (index > 0 && small.has(word)) return word;
  const [first = '', ...rest] = word;
  return first.toLocaleUpperCase() + rest.join('');
}
