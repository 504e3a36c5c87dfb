// Files that were taken out of an unsent question. They are deleted together after a pause; what the page could not
// delete before it closed, the next visit does.
import { readStored, removeStored, writeStored } from '../../lib/storage.ts';
import { discardFiles } from '../files-api.ts';

/** Existing clients use the same key. */
const KEY = 'filesToDelete';
/** Milliseconds after the last removal. */
const DELAY_MS = 1_000;

let timer: ReturnType<typeof setTimeout> | undefined;
/** The drafts that they were taken out of; after a reload the server knows what these have. */
const drafts = new Set<string>();

export function removeLater(fileId: string, draft?: string): void {
  if (draft !== undefined) drafts.add(draft);
  writeStored(KEY, [...new Set([...readIds(), fileId])]);
  clearTimeout(timer);
  timer = setTimeout(() => void removeNow(), DELAY_MS);
}

/** Deletes what is waiting. The server deletes unused files after an hour anyway, so a failure is only logged. */
export async function removeNow(): Promise<void> {
  const ids = readIds();
  if (ids.length === 0) return;
  removeStored(KEY);
  // More may be taken out during the request.
  const left = [...drafts];
  drafts.clear();
  try {
    await discardFiles(ids, left);
  } catch (error) {
    console.warn('Files that were taken out of a question could not be deleted', error);
  }
}

/** Existing clients store an object with ids as keys. */
function readIds(): string[] {
  return readStored<string[]>(KEY, [], (stored) => {
    if (Array.isArray(stored)) return stored.filter((id): id is string => typeof id === 'string');
    return typeof stored === 'object' && stored !== null ? Object.keys(stored) : undefined;
  });
}
