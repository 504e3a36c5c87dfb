/** Makes a short title from what the user wrote, without a language model. */
import type { ChatRequest } from './request.ts';

const MAX_WORDS = 5;

// Openings that say nothing about the subject.
const openings = new Set(
  (
    'please can could would will you i we me us my how do does did to what is are was the a an of about tell give show ' +
    'write make create explain describe help happens hi hello hey let want need like got any some that this it in for be there'
  ).split(' '),
);

const small = new Set('a an and as at but by for from in into of on or the to with'.split(' '));

// No title is longer, and hardly an answer is shorter.
const TITLE_TOKENS = 64;

/** Whether the prompt says the word, and wants its answer in one piece or very short. */
export function asksForTitle({ stream, maxTokens = Infinity, messages }: ChatRequest): boolean {
  return (!stream || maxTokens <= TITLE_TOKENS) && messages.some(({ text }) => asking.test(text));
}

/** Two to five words in title case and in the user's script; "New Conversation" where there are no words at all. */
export function titleOf(text: string): string {
  const all = wordsOf(text);
  const subject = all.slice(all.findIndex(({ word }) => !openings.has(word.toLowerCase())));
  const words = (subject.length >= 2 || isDense(all) ? subject : all).slice(0, MAX_WORDS);
  while (words.length > 2 && small.has(words.at(-1)?.word.toLowerCase() ?? '')) words.pop();
  return words.map(({ word, gap }, i) => (i === 0 ? '' : gap) + capital(word, i)).join('') || 'New Conversation';
}

/**
 * Finds the user's words in a title prompt: in a message that gives the exchange as `User: ... Assistant: ...`, in
 * `<user>` tags or in quotes, else in the first user message that is not the asking itself.
 */
export function userTextOfTitlePrompt(request: ChatRequest): string {
  for (const { text } of request.messages) {
    const quoted = labelled.exec(text)?.[1] ?? tagged.exec(text)?.[1];
    if (quoted) return withoutQuotes(quoted);
  }
  const users = request.messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  const talk = users.find((text) => !asking.test(text)) ?? users[0] ?? '';
  const lines = talk.split('\n').filter((line) => users.length > 1 || !asking.test(line));
  const rest = lines.join('\n').trim();
  return rest === '' ? talk.slice(talk.lastIndexOf(':') + 1) : rest;
}

const asking = /\btitle\b/i;

const labelled =
  /(?:^|\n)[|>*#\s]*(?:user|human|question|message)\b[*]*\s*:[*]*\s*([\s\S]+?)(?=\n[|>*#\s]*(?:assistant|ai|response|reply|answer|title|bot|model)\b[^\n]*:|$)/i;

const tagged = /<(?:user|human|question|message)>\s*([\s\S]+?)\s*<\//i;

function withoutQuotes(text: string): string {
  return text.trim().replace(/^["“'`]+|["”'`]+$/g, '');
}

type Word = { word: string; gap: string };

function wordsOf(text: string): Word[] {
  const clean = text.replace(/\[\[[^\]]*\]\]|```[\s\S]*?(?:```|$)|https?:\/\/\S+/g, ' ').slice(0, 500);
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

function capital(word: string, place: number): string {
  if (place > 0 && small.has(word)) return word;
  const [first = '', ...rest] = word;
  return first.toLocaleUpperCase() + rest.join('');
}
