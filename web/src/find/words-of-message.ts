import type { Message } from '@parley/schema/messages/messages';
import { BLOCK_END, countIn, foldWords } from './folded.ts';
import { wordsOfMarkdown } from './words-of-markdown.ts';

type Said = Pick<Message, 'parts' | 'isCreatedByUser'>;

/** A message as it is searched. What it says is read only where it may have what is searched for. */
export interface SearchedMessage {
  count(needle: string): number;
}

/** Reasoning is searched where it is unfolded. */
export function searchedMessage({ parts, isCreatedByUser }: Said, isUnfolded: boolean): SearchedMessage {
  const said = parts.flatMap((part) =>
    part.type === 'text' || (part.type === 'reasoning' && isUnfolded)
      ? [{ ...part, isPlain: isCreatedByUser || part.type !== 'text' }]
      : [],
  );
  let raw: string | undefined;
  let read: string | undefined;
  return {
    count(needle) {
      raw ??= lettersOf(foldWords(said.map(({ text }) => text).join('\n')));
      if (!raw.includes(lettersOf(needle))) return 0;
      read ??= foldWords(said.map(({ text, isPlain }) => (isPlain ? text : wordsOfMarkdown(text))).join(BLOCK_END));
      return countIn(read, needle);
    },
  };
}

/** Marks may stand between letters that are read together. */
function lettersOf(folded: string): string {
  return folded.replace(/[^\p{L}\p{N}]+/gu, '');
}
