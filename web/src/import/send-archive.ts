// Sends the ZIP file of an export of everything, whole: what is in it stands at its end. `fetch` does not tell how far
// a body is sent, so it goes by the older way.
import type { ImportFault, ImportLine } from '@parley/schema/transfer/results';
import { requestHeaders, session } from '../session/current-session.ts';
import type { Retry } from './post-with-retry.ts';

/** "PK": ZIP files begin with it, JSON never does. */
const ZIP = [0x50, 0x4b];

export async function isArchive(file: Blob): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, ZIP.length).arrayBuffer());
  return ZIP.every((byte, index) => head[index] === byte);
}

export interface ArchiveSending {
  retry: Retry;
  /** An attempt begins, whose lines replace those of the one before. */
  onBegin: () => void;
  onLines: (lines: readonly ImportLine[]) => void;
  /** The part of the file that is sent, from 0 to 1. */
  onSent: (part: number) => void;
  signal: AbortSignal;
}

/** Resolves when everything is stored, to why it is not. Throws if the server stays unreachable. */
export function sendArchive(file: Blob, sending: ArchiveSending): Promise<ImportFault | null> {
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
