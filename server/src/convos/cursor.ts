// Where a page ends and the next one begins: a time and an id. Keyset, so page 9,000 is as fast as page 1.
import { refuse } from '../platform/errors.ts';

const CURSOR = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00)\|([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** `time` in the database's own text: a JavaScript date would drop its microseconds and skip rows. */
export function convoCursor(time: string, id: string): string {
  return `${time}|${id}`;
}

/** @throws Refusal `invalid_input` */
export function parseCursor(cursor: string): { time: string; id: string } {
  const [, time, id] = CURSOR.exec(cursor) ?? [];
  const valid = time && id && !Number.isNaN(Date.parse(time));
  return valid ? { time, id } : refuse({ type: 'invalid_input', text: 'The cursor is not one of ours' });
}
