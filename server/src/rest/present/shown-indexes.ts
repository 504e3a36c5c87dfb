import type { MessagePart } from '@parley/schema/messages/messages';
import { presentAnswerPart } from './assistant-content.ts';

/** Where a client puts the nth thing that is shown of a part. */
export type IndexOf = (place: number, nth: number) => number;

/**
 * Behind what the answer has already, in the order of their first frames, so that none has to move: a picture that a
 * tool made comes when its call has ended, and other calls may stand behind it by then.
 */
export function createIndexes(before: readonly MessagePart[]): IndexOf {
  const known = new Map<string, number>();
  const indexOf: IndexOf = (place, nth) => {
    const key = `${place}:${nth}`;
    const index = known.get(key) ?? known.size;
    known.set(key, index);
    return index;
  };
  for (const [place, part] of before.entries()) for (const nth of presentAnswerPart(part).keys()) indexOf(place, nth);
  return indexOf;
}
