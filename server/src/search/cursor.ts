// Cursors of search result pages.
import { refuse } from '../platform/errors.ts';
import type { Place } from './find.ts';
import type { Extent } from './lookup.ts';

/** The position after which a page begins, and the extent of the data at the first page. */
export interface Cursor {
  after: Place;
  upTo: Extent;
}

const CURSOR = /^(\d)((?:\.-?\d{1,19}){6})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,15})\.(\d{1,15})$/;

export function cursorOf({ rank, newest, stretch, convoId }: Place, { message, title }: Extent): string {
  return [rank, ...newest, ...stretch.below, ...stretch.end, convoId, message, title].join('.');
}

/** @throws Refusal `invalid_input` */
export function parseCursor(text: string): Cursor {
  const [, rank, moments = '', convoId, message, title] = CURSOR.exec(text) ?? [];
  const [at = '', seq = '', belowAt = '', belowSeq = '', endAt = '', endSeq = '', ...rest] = moments
    .slice(1)
    .split('.');
  if (!convoId || rest.length > 0 || ![at, seq, belowAt, belowSeq, endAt, endSeq].every(isBigint))
    return refuse({ type: 'invalid_input', text: 'The cursor is not one of ours' });
  const stretch = { below: [belowAt, belowSeq], end: [endAt, endSeq] } as const;
  return {
    after: { stretch, rank: Number(rank), newest: [at, seq], convoId },
    upTo: { message: Number(message), title: Number(title) },
  };
}

/** Whether it fits a bigint. */
function isBigint(digits: string): boolean {
  const value = BigInt(digits);
  return BigInt.asIntN(64, value) === value;
}
