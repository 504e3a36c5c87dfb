import type { StoredFile } from '@parley/schema/files/stored-file';
import { isUnfinished } from './document-status.ts';

/** Milliseconds between two looks at files whose text is being read: of a fresh file, and of one that takes long. */
const SOONEST_MS = 2_000;
const LATEST_MS = 30_000;
const SHARE_OF_AGE = 0.2;

/** Milliseconds until the list is read again; false while nothing in it is about to change. */
export function refetchInterval(
  files: readonly Pick<StoredFile, 'document' | 'createdAt'>[] | undefined,
  now = Date.now(),
): number | false {
  const unfinished = (files ?? []).filter(({ document }) => isUnfinished(document));
  if (unfinished.length === 0) return false;
  const youngest = Math.max(...unfinished.map(({ createdAt }) => Date.parse(createdAt)));
  return Math.min(LATEST_MS, Math.max(SOONEST_MS, (now - youngest) * SHARE_OF_AGE));
}
