// The user's address when the session expired, so that signing in again returns there.
import { asFields } from '@parley/schema/json';
import { readStored, removeStored, writeStored } from '../lib/storage.ts';

const KEY = 'returnPath';

interface Remembered {
  userId: string;
  path: string;
}

/** Stores the open conversation, for its owner only. Other screens are not worth returning to. */
export function rememberReturnPath(userId: string): void {
  const path = window.location.pathname;
  if (path.startsWith('/c/')) writeStored(KEY, { userId, path } satisfies Remembered, 'sessionStorage');
}

/** The path after a sign-in: the stored one, once, or a new chat. */
export function takeReturnPath(userId: string): string {
  const remembered = readStored<Remembered | null>(KEY, null, parseRemembered, 'sessionStorage');
  forgetReturnPath();
  return remembered?.userId === userId ? remembered.path : '/c/new';
}

export function forgetReturnPath(): void {
  removeStored(KEY, 'sessionStorage');
}

function parseRemembered(stored: unknown): Remembered | undefined {
  const { userId, path } = asFields(stored);
  if (typeof userId !== 'string' || typeof path !== 'string' || !path.startsWith('/c/')) return undefined;
  return { userId, path };
}
