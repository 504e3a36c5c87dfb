// Handles extremely long words. A browser breaks a line inside a word only after it has laid out the whole word, so a
// word of a million characters blocks the page for seconds.
import type { ReactNode } from 'react';
import classes from './long-words.module.css';
import { InOrder } from './primitives/in-order.tsx';

/** Words with more characters than this are split. Real words are shorter. */
const WORD_CHARS_MAX = 20_000;
/** Characters per piece: about one screen. */
const PIECE_CHARS = 5_000;

/** Whether the text has a word that is too long to lay out as one. */
function hasLongWord(text: string): boolean {
  return text.length > WORD_CHARS_MAX && text.split(/\s/).some((word) => word.length > WORD_CHARS_MAX);
}

/** The same text, with long words in pieces that are laid out only near the viewport. */
export function LongWords({ text }: { text: string }): ReactNode {
  if (!hasLongWord(text)) return text;
  return (
    <InOrder items={text.split(/(\s+)/)}>
      {(word) =>
        word.length <= WORD_CHARS_MAX ? (
          word
        ) : (
          <InOrder items={piecesOf(word)}>{(piece) => <span className={classes.piece}>{piece}</span>}</InOrder>
        )
      }
    </InOrder>
  );
}

/** No piece ends inside a surrogate pair. */
function piecesOf(word: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < word.length; from += pieces.at(-1)?.length ?? PIECE_CHARS) {
    const isCut = /[\uD800-\uDBFF]/.test(word.charAt(from + PIECE_CHARS - 1));
    pieces.push(word.slice(from, from + PIECE_CHARS + (isCut ? 1 : 0)));
  }
  return pieces;
}
