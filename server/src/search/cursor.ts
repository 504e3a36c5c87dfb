// Cursors of search result pages.
import { refuse } from '../platform/errors.ts';
import type { HitPosition } from './find.ts';
import type { SearchSnapshot } from './lookup.ts';

/** The position after which a page begins, and the extent of the data at the first page. */
export interface Cursor {
  after: HitPosition;
  upTo: SearchSnapshot;
}

const CURSOR = /^(\d)((?:\.-?\d{1,19}){6})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,15})\.(\d{1,15})$/;

export function searchCursor({ rank, newest, page, convoId }: HitPosition, { message, title }: SearchSnapshot): string {
  return [rank, ...newest, ...page.below, ...page.end, convoId, message, title].join('.');
}

/** @throws Refusal `invalid_input` */
export function parseCursor(text: string): Cursor {
  const [, rank, moments = '', convoId, message, title] = CURSOR.exec(text) ?? [];
  const [at = '', seq = '', belowAt = '', belowSeq = '', endAt = '', endSeq = '', ...rest] = moments
    .slice(1)
    .split('.');
  if (!convoId || rest.length > 0 || ![at, seq, belowAt, belowSeq, endAt, endSeq].every(isBigint))
    return refuse({ type: 'invalid_input', text: 'The cursor is not one of ours' });
  const range = { below: [belowAt, belowSeq], end: [endAt, endSeq] } as const;
  return {
    after: { page: range, rank: Number(rank), newest: [at, seq], convoId },
    upTo: { message: Number(message), title: Number(title) },
  };
}

/** Whether it fits a bigint. */
function isBigint(digits: string): boolean {
  const value = BigInt(digits);
  return BigInt.asIntN(64, value) === value;
}
