import { useLayoutEffect } from 'react';
import { transferredFiles, hasFiles } from '../../files/upload/clipboard-files.ts';

/** What was pasted or dropped before it was known what attaches it: the code for that, and the model. */
export const earlyFiles: File[] = [];

const EVENTS = ['paste', 'dragover', 'drop'];

/** Keeps such files, in whatever stands in the place of that code. */
export function useEarlyFiles(): void {
  useLayoutEffect(() => {
    EVENTS.forEach((type) => document.addEventListener(type, storeFiles));
    return () => EVENTS.forEach((type) => document.removeEventListener(type, storeFiles));
  }, []);
}

/** A dialog covers the chat and has its own uses for files. */
export function hasDialog(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}

/** Fields of one line, as that of the search, take no files. */
function storeFiles(event: Event & { clipboardData?: DataTransfer; dataTransfer?: DataTransfer }): void {
  const { clipboardData, dataTransfer, target } = event;
  // Files that are dragged can be read when they are dropped.
  const files = dataTransfer ? dataTransfer.files : transferredFiles(clipboardData ?? null);
  if (target instanceof HTMLInputElement || !(hasFiles(dataTransfer ?? null) || files.length > 0)) return;
  // A dialog has taken them.
  if (event.defaultPrevented) return;
  event.preventDefault();
  if (event.type !== 'dragover' && !hasDialog()) earlyFiles.push(...files);
}
