// Makes the search entries of new messages as the triggers of the search index would.
import type { Tx } from '@parley/db/client';
import { messageText, type MessagePart } from '@parley/schema/messages/messages';
import { writeWords } from './bulk-index.ts';
import { foldText } from '@parley/schema/search/fold-text';
import { isKnown } from './mirror.ts';
import { eachWord } from './tokenize.ts';
import { createWordNumbers } from './word-number.ts';

/** With the names of `search_entries`; `words` is an array of PostgreSQL, null where there is nothing to be found. */
export interface Entry {
  body: string | null;
  words: string | null;
}

export interface Entries {
  /** Does the work of `of` before it is needed, which may come to nothing. */
  prepare(message: WithParts): void;
  /** The entry of a message that is written; null where the database must make it. */
  of(message: WithParts): Entry | null;
  /** Adds the words of the messages that are written to the dictionary. */
  writeWords(tx: Tx): Promise<void>;
}

interface WithParts {
  parts: MessagePart[];
}

interface Word {
  /** As it is written in arrays. */
  number: string;
  /** The number of the entry that it was last found in. */
  lastIn: number;
}

/** The entries of one transaction. Only for databases that the server mirrors. */
export function createEntries(userId: string): Entries {
  const numberOf = createWordNumbers(userId);
  const words = new Map<string, Word>();
  const grams = new Map<string, number>();
  const prepared = new Map<MessagePart[], Entry | null>();
  const bodies: string[] = [];
  let made = 0;
  return { prepare: ({ parts }) => void prepared.set(parts, make(parts)), of, writeWords: writeOwn };

  function of({ parts }: WithParts): Entry | null {
    const entry = prepared.get(parts) ?? make(parts);
    prepared.delete(parts);
    if (entry?.body) bodies.push(entry.body);
    return entry;
  }

  function make(parts: MessagePart[]): Entry | null {
    const text = messageText({ parts });
    if (!isKnown(text) || parts.some(({ type }) => type === 'tool_call')) return null;
    const body = foldText(text);
    const own: string[] = [];
    made += 1;
    eachWord(body, (text) => {
      const word = wordOf(text);
      if (word.lastIn !== made) own.push(word.number);
      word.lastIn = made;
    });
    return own.length === 0 ? { body: null, words: null } : { body, words: `{${own.join(',')}}` };
  }

  function wordOf(text: string): Word {
    let word = words.get(text);
    if (!word) words.set(text, (word = { number: String(numberOf(text)), lastIn: 0 }));
    return word;
  }

  async function writeOwn(tx: Tx): Promise<void> {
    const written = prepared.size === 0 ? words.keys() : wordsOf(bodies);
    await writeWords(tx, userId, [...written], gramsOf);
  }

  /** As PostgreSQL reads an array; null for a word without trigrams. */
  function gramsOf(word: string): string | null {
    const signs = SURROGATE.test(word) ? [...word] : null;
    const count = Math.max(0, (signs ?? word).length - 2);
    const numbers = new Int32Array(count);
    for (let at = 0; at < count; at += 1)
      numbers[at] = gramNumber(signs ? signs.slice(at, at + 3).join('') : word.slice(at, at + 3));
    const distinct = numbers.sort().filter((number, at) => number !== numbers[at - 1]);
    return count === 0 ? null : `{${distinct.join(',')}}`;
  }

  function gramNumber(gram: string): number {
    let number = grams.get(gram);
    if (number === undefined) grams.set(gram, (number = numberOf(gram)));
    return number;
  }
}

/** Where not all that was prepared is written: the dictionary has no words of messages that are not here. */
function wordsOf(bodies: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const body of bodies) eachWord(body, (word) => words.add(word));
  return words;
}

const SURROGATE = /[\ud800-\udfff]/;
