// The import of this tab. It does not belong to the dialog that shows it: another dialog in its place stops nothing.
import type { ImportFault, ImportItem } from '@parley/schema/transfer';
import { atom } from 'jotai';
import { createPost } from './post-import.ts';
import { sendFile } from './send-file.ts';

/** How an import ended: with the file, by hand, or because the server could not be reached. */
export type Ending = 'done' | 'stopped' | 'unreachable' | ImportFault;

export interface Import {
  fileName: string;
  /** In bytes, like `bytesDone`. */
  size: number;
  bytesDone: number;
  items: readonly ImportItem[];
  /** The server cannot be reached and is tried again. */
  isWaiting: boolean;
  /** Null while it goes on. */
  ending: Ending | null;
  stop: () => void;
}

const importAtom = atom<Import | null>(null);

/** The import that goes on or has ended and was not put away yet. */
export const currentImportAtom = atom((get) => get(importAtom));

/** Reads a file to its end; resolves then. */
export const startImportAtom = atom(null, async (get, set, file: File): Promise<void> => {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  const change = (part: Partial<Import>) => set(importAtom, (before) => before && { ...before, ...part });
  set(importAtom, {
    fileName: file.name,
    size: file.size,
    bytesDone: 0,
    items: [],
    isWaiting: false,
    ending: null,
    stop,
  });
  window.addEventListener('beforeunload', warn);
  const ending = await sendFile(file, {
    post: createPost((isWaiting) => change({ isWaiting })),
    onProgress: (items, bytesDone) => change({ items: [...(get(importAtom)?.items ?? []), ...items], bytesDone }),
    signal: stopping.signal,
  }).then(
    (fault): Ending => fault ?? 'done',
    (): Ending => (stopping.signal.aborted ? 'stopped' : 'unreachable'),
  );
  window.removeEventListener('beforeunload', warn);
  change({ ending, isWaiting: false });
});

/** Puts an import that has ended away. */
export const forgetImportAtom = atom(null, (get, set) => {
  if (get(importAtom)?.ending) set(importAtom, null);
});

/** The browser asks before the page is left. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
