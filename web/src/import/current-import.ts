// The import of this tab. It is independent of its dialog: opening another dialog does not stop it.
import type { ImportFault, ImportItem } from '@parley/schema/transfer/results';
import { atom } from 'jotai';
import { createPost } from './post-with-retry.ts';
import { sendFile } from './send-file.ts';

/** How an import ended: file done, cancelled, or server unreachable. */
export type ImportEnd = 'done' | 'stopped' | 'unreachable' | ImportFault;

export interface Import {
  fileName: string;
  /** In bytes, like `bytesDone`. */
  size: number;
  bytesDone: number;
  items: readonly ImportItem[];
  /** The server is unreachable; a retry is pending. */
  isWaiting: boolean;
  /** Null while it runs. */
  ending: ImportEnd | null;
  stop: () => void;
}

const importAtom = atom<Import | null>(null);

/** The running import, or a finished one that is not dismissed yet. */
export const currentImportAtom = atom((get) => get(importAtom));

/** Imports a file; resolves at its end. */
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
    (fault): ImportEnd => fault ?? 'done',
    (): ImportEnd => (stopping.signal.aborted ? 'stopped' : 'unreachable'),
  );
  window.removeEventListener('beforeunload', warn);
  change({ ending, isWaiting: false });
});

/** Dismisses a finished import. */
export const forgetImportAtom = atom(null, (get, set) => {
  if (get(importAtom)?.ending) set(importAtom, null);
});

/** Makes the browser confirm before leaving the page. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
