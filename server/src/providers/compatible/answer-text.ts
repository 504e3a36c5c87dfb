// What a server leaves inside the text of an answer: reasoning between tags, and pictures as Markdown.
import { createWrittenPictures } from './written-pictures.ts';
import type { Delta } from '../../generation/delta.ts';
import type { PictureReader } from './answer-pictures.ts';
import { createThoughtReader } from './thoughts.ts';

export interface AnswerReader {
  /** One piece of the answer, and before it what its text held back. */
  read(piece: Delta): Delta[];
  /** What is still held back at the end. */
  flush(): Delta[];
}

const ENDS_TEXT = new Set<Delta['type']>(['tool', 'reasoning', 'made', 'picture', 'finish']);

/**
 * @param given `hasThoughts`: reasoning may stand in the text; that without its opening tag replaces the text before.
 * `pictures`: reads those in the text; null where they remain text
 */
export function createAnswerReader(given: { hasThoughts: boolean; pictures: PictureReader | null }): AnswerReader {
  const thoughts = given.hasThoughts ? createThoughtReader() : null;
  const pictures = given.pictures && createWrittenPictures(given.pictures);

  function read(piece: Delta): Delta[] {
    if (piece.type === 'text') return withPictures(thoughts ? thoughts.read(piece.text) : [piece]);
    const held = ENDS_TEXT.has(piece.type) ? flush() : [];
    if (piece.type === 'reasoning') thoughts?.noteReasoning();
    return [...held, piece];
  }

  function flush(): Delta[] {
    return [...withPictures(thoughts?.flush() ?? []), ...(pictures?.flush() ?? [])];
  }

  function withPictures(spoken: Delta[]): Delta[] {
    return pictures ? spoken.flatMap((piece) => pictureIn(piece, pictures)) : spoken;
  }

  return { read, flush };
}

function pictureIn(piece: Delta, pictures: NonNullable<ReturnType<typeof createWrittenPictures>>): Delta[] {
  if (piece.type === 'text') return pictures.read(piece.text);
  if (piece.type !== 'rewrite') return [...pictures.flush(), piece];
  pictures.drop();
  return [piece];
}
