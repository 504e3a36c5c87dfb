// Tests of this room: tests/unit/web/export, tests/e2e/transfer.

// The import of this tab. It is independent of its dialog: opening another dialog does not stop it.
import type { ArchiveLine, ImportFault, ImportItem, ImportLine } from '@parley/schema/transfer/results';
import { atom } from 'jotai';
import { createPost, createRetry, type Retry } from './post-with-retry.ts';
import { sendFile } from './send-file.ts';
import { requestHeaders, session } from '../session/current-session.ts';

/** "PK": ZIP files begin with it, JSON never does. */
const ZIP = [0x50, 0x4b];

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

// Sends the ZIP file of an export of everything, whole: what is in it stands at its end. `fetch` does not tell how far
// a body is sent, so it goes by the older way.
async function isArchive(file: Blob): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, ZIP.length).arrayBuffer());
  return ZIP.every((byte, index) => head[index] === byte);
}

interface ArchiveSending {
  retry: Retry;
  /** An attempt begins, whose lines replace those of the one before. */
  onBegin: () => void;
  onLines: (lines: readonly ImportLine[]) => void;
  /** The part of the file that is sent, from 0 to 1. */
  onSent: (part: number) => void;
  signal: AbortSignal;
}

/** Resolves when everything is stored, to why it is not. Throws if the server stays unreachable. */
function sendArchive(file: Blob, sending: ArchiveSending): Promise<ImportFault | null> {
  return sending.retry(() => tryOnce(file, sending), sending.signal);
}

async function tryOnce(
  file: Blob,
  { onBegin, onLines, onSent, signal }: ArchiveSending,
): Promise<ImportFault | null | 'again'> {
  const token = await session.freshToken();
  onBegin();
  const { status, lines } = await post(file, requestHeaders(token), { onLines, onSent, signal });
  if (status === 413) return 'large_zip';
  if (status === 401) await session.refresh();
  const last = lines.at(-1);
  if (!last || !('end' in last)) return 'again';
  return last.fault === 'signed_out' || last.fault === 'stalled' ? 'again' : last.fault;
}

function post(
  file: Blob,
  headers: Record<string, string>,
  { onLines, onSent, signal }: Pick<ArchiveSending, 'onLines' | 'onSent' | 'signal'>,
): Promise<{ status: number; lines: ImportLine[] }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const lines: ImportLine[] = [];
    let read = 0;
    request.open('POST', '/api/import');
    for (const [name, value] of Object.entries({ ...headers, 'content-type': 'application/zip' }))
      request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total);
    request.onprogress = readOn;
    request.onload = () => {
      readOn();
      resolve({ status: request.status, lines });
    };
    request.onerror = request.onabort = () => reject(new Error('The connection broke'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);

    /** The lines that are complete now. */
    function readOn(): void {
      const end = request.responseText.lastIndexOf('\n') + 1;
      if (request.status !== 200 || end <= read) return;
      const arrived = request.responseText.slice(read, end).split('\n').filter(Boolean);
      read = end;
      const more = arrived.map((line) => JSON.parse(line) as ImportLine);
      lines.push(...more);
      onLines(more);
    }
  });
}
