// Reads the export of everything while the server writes it.
import { session } from '../../session/current-session.ts';
import { api } from '../../trpc.ts';

export class ExportError extends Error {
  override name = 'ExportError';
  readonly status: number;

  constructor(status: number) {
    super(`The export was refused: ${status}`);
    this.status = status;
  }
}

/** Pieces are given to the browser, which may keep them on disk. */
const PIECE_BYTES = 16 * 1024 * 1024;

/** `onProgress` gets the bytes so far. @throws ExportError when the server refuses; the reason of `signal` */
export async function downloadExport(onProgress: (bytes: number) => void, signal: AbortSignal): Promise<Blob> {
  // Asks who one is before, where that was long ago.
  await api.auth.stepUp.check.mutate();
  const token = await session.freshToken();
  const response = await fetch('/api/export', { headers: { authorization: `Bearer ${token ?? ''}` }, signal });
  if (!response.ok || !response.body) throw new ExportError(response.status);
  const pieces: Blob[] = [];
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let [bytes, unkept] = [0, 0];
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    waiting.push(read.value);
    bytes += read.value.length;
    unkept += read.value.length;
    onProgress(bytes);
    if (unkept < PIECE_BYTES) continue;
    pieces.push(new Blob(waiting));
    [waiting, unkept] = [[], 0];
  }
  return new Blob([...pieces, ...waiting], { type: 'application/zip' });
}
