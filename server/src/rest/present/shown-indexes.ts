import type { MessagePart } from '@parley/schema/messages/messages';
import { presentReplyPart } from './assistant-content.ts';

/** Where a client puts the nth thing that is shown of a part. */
export type ShownIndex = (position: number, nth: number) => number;

/**
 * Behind what the answer has already, in the order of their first frames, so that none has to move: an image that a
 * tool made comes when its call has ended, and other calls may stand behind it by then.
 */
export function createIndexes(before: readonly MessagePart[]): ShownIndex {
  const known = new Map<string, number>();
  const indexOf: ShownIndex = (position, nth) => {
    const key = `${position}:${nth}`;
    const index = known.get(key) ?? known.size;
    known.set(key, index);
    return index;
  };
  for (const [place, part] of before.entries()) for (const nth of presentReplyPart(part).keys()) indexOf(place, nth);
  return indexOf;
}
