// Files that were taken out of an unsent question. They are deleted together after a pause; what the page could not
// delete before it closed, the next visit does.
import { readStored, removeStored, writeStored } from '../../lib/storage.ts';
import { removeFiles } from '../files-api.ts';

/** Existing clients use the same key. */
const KEY = 'filesToDelete';
/** Milliseconds after the last removal. */
const DELAY_MS = 1_000;

let timer: ReturnType<typeof setTimeout> | undefined;

export function removeLater(fileId: string): void {
  writeStored(KEY, [...new Set([...readIds(), fileId])]);
  clearTimeout(timer);
  timer = setTimeout(() => void removeNow(), DELAY_MS);
}

/** Deletes what is waiting. The server deletes unused files after an hour anyway, so a failure is only logged. */
export async function removeNow(): Promise<void> {
  const ids = readIds();
  if (ids.length === 0) return;
  removeStored(KEY);
  try {
    await removeFiles(ids);
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
