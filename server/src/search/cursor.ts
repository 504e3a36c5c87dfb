import { refuse } from '../errors.ts';
import type { Found } from './find.ts';
import type { Extent } from './lookup.ts';

/** The place after which a page begins, and what was there when the first one was read. */
export interface Cursor {
  after: { rank: number; newest: number; convoId: string };
  upTo: Extent;
}

const CURSOR = /^(\d)\.(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,15})\.(\d{1,15})$/;

export function cursorOf({ rank, newest, convoId }: Found, { message, title }: Extent): string {
  return [rank, newest, convoId, message, title].join('.');
}

/** @throws Refusal `invalid_input` */
export function parseCursor(text: string): Cursor {
  const [, rank, newest, convoId, message, title] = CURSOR.exec(text) ?? [];
  if (!convoId) return refuse({ type: 'invalid_input', text: 'The cursor is not one of ours' });
  return {
    after: { rank: Number(rank), newest: Number(newest), convoId },
    upTo: { message: Number(message), title: Number(title) },
  };
}
