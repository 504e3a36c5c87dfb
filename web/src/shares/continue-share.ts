// Tests of this room: tests/e2e/chat/sharing.test.ts.

// The shared conversation that a visitor wants to read or to go on with, while they sign in.
import { readText, removeStored, writeText } from '../lib/storage.ts';

const KEY = 'continueShare';

export function rememberShare(wish: 'read' | 'continue', id: string): void {
  writeText(KEY, `${wish} ${id}`, 'sessionStorage');
}

/** After a sign-in: opens the shared conversation that was to be read, or a copy of the one to be continued. */
export async function continueShare(): Promise<void> {
  const wish = readText(KEY, 'sessionStorage');
  if (!wish) return;
  removeStored(KEY, 'sessionStorage');
  await (await import('./open-share.ts')).openShare(wish);
}
