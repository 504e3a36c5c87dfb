// Tests of this room: tests/unit/web/export, tests/e2e/transfer.

// The import of this tab. It is independent of its dialog: opening another dialog does not stop it.
import type { ArchiveLine, ImportFault, ImportItem, ImportLine } from '@parley/schema/transfer/results';
import { atom } from 'jotai';
import { createPost, createRetry } from './post-with-retry.ts';
import { isArchive, sendArchive } from './send-archive.ts';
import { sendFile } from './send-file.ts';

/** How an import ended: file done, cancelled, or server unreachable. */
export type ImportEnd = 'done' | 'stopped' | 'unreachable' | ImportFault;

export interface Import {
  fileName: string;
  /** In bytes, like `bytesDone`. */
  size: number;
  bytesDone: number;
  items: readonly ImportItem[];
  /** What a ZIP file brings beside conversations. */
  others: readonly ArchiveLine[];
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
  const nothing = { bytesDone: 0, items: [], others: [] };
  set(importAtom, { fileName: file.name, size: file.size, ...nothing, isWaiting: false, ending: null, stop });
  window.addEventListener('beforeunload', warn);
  const { signal } = stopping;
  const retry = createRetry((isWaiting) => change({ isWaiting }));
  const send = (isZip: boolean) =>
    isZip
      ? sendArchive(file, { retry, onBegin: () => change(nothing), onLines: take, onSent, signal })
      : sendFile(file, { post: createPost(retry), onProgress, signal });
  const ending = await isArchive(file)
    .then(send)
    .then(
      (fault): ImportEnd => fault ?? 'done',
      (): ImportEnd => (signal.aborted ? 'stopped' : 'unreachable'),
    );
  window.removeEventListener('beforeunload', warn);
  change({ ending, isWaiting: false });

  function onProgress(items: readonly ImportItem[], bytesDone: number): void {
    change({ items: [...(get(importAtom)?.items ?? []), ...items], bytesDone });
  }

  /** Sending is the first half of the way, and storing the second. */
  function onSent(part: number): void {
    change({ bytesDone: (file.size * part) / 2 });
  }

  function take(lines: readonly ImportLine[]): void {
    const items = lines.filter((line) => 'index' in line);
    const others = lines.filter((line) => 'kind' in line);
    const last = others.findLast(({ kind }) => kind === 'progress');
    const part = last?.kind === 'progress' && last.total > 0 ? last.done / last.total : null;
    const before = get(importAtom);
    change({
      items: [...(before?.items ?? []), ...items],
      others: [...(before?.others ?? []), ...others.filter(({ kind }) => kind !== 'progress')],
      ...(part !== null && { bytesDone: (file.size * (1 + part)) / 2 }),
    });
  }
});

/** Dismisses a finished import. */
export const forgetImportAtom = atom(null, (get, set) => {
  if (get(importAtom)?.ending) set(importAtom, null);
});

/** Makes the browser confirm before leaving the page. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
