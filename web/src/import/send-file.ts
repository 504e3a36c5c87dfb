// Sends a file to the server a few conversations at a time. Each request is small, answered at once and safe to repeat,
// so a slow or broken connection costs only time.
import {
  IMPORT_LIMITS,
  type ImportFault,
  type ImportItem,
  type ImportLine,
  type SkipReason,
} from '@parley/schema/transfer/results';
import { createSplitter, titleIn, type Piece } from '@parley/schema/transfer/splitter';

/** The size of one request: small enough for every proxy, unless a single conversation is longer. */
const REQUEST = { bytes: 500_000, conversations: 50 };

export interface Sending {
  /** Sends a file of some conversations and returns the lines of the response. */
  post: (file: Blob, signal: AbortSignal) => Promise<ImportResponse>;
  /** The results of some conversations, and the bytes of the file processed so far. */
  onProgress: (items: readonly ImportItem[], bytesDone: number) => void;
  signal: AbortSignal;
}

/** `too_large` if a proxy rejects a body of this length. */
export type ImportResponse = { lines: ImportLine[] } | 'too_large';

/**
 * Resolves when the whole file is processed; the result is why it could not be read to its end. Throws the errors of
 * `post`.
 */
export async function sendFile(file: Blob, { post, onProgress, signal }: Sending): Promise<ImportFault | null> {
  const splitter = createSplitter(IMPORT_LIMITS);
  const reader = file.stream().getReader();
  let waiting: Piece[] = [];
  let bytesRead = 0;
  for (;;) {
    const { value: chunk } = await reader.read();
    if (chunk) waiting.push(...splitter.push(chunk));
    bytesRead += chunk?.length ?? 0;
    const isOver = !chunk || splitter.isBroken();
    for (const pieces of inRequests(waiting, isOver)) {
      signal.throwIfAborted();
      const items = await sendPieces(pieces);
      waiting = waiting.slice(pieces.length);
      onProgress(items, bytesRead - waiting.reduce((sum, { size }) => sum + size, 0));
    }
    if (!isOver) continue;
    await reader.cancel();
    return splitter.fault();
  }

  async function sendPieces(pieces: readonly Piece[]): Promise<ImportItem[]> {
    const [whole, unreadable] = [pieces.filter(isWhole), pieces.filter((piece) => !isWhole(piece))];
    const skipped = unreadable.map((piece) => skip(piece, piece.isTooLarge ? 'too_large' : 'malformed'));
    return [...skipped, ...(whole.length === 0 ? [] : await ask(whole))];
  }

  async function ask(pieces: readonly Piece[]): Promise<ImportItem[]> {
    const response = await post(fileOf(pieces), signal);
    if (response !== 'too_large') return response.lines.flatMap((line) => itemOf(line, pieces));
    const [only, ...others] = pieces;
    if (only && others.length === 0) return [skip(only, 'too_large')];
    const half = Math.ceil(pieces.length / 2);
    return [...(await ask(pieces.slice(0, half))), ...(await ask(pieces.slice(half)))];
  }
}

/** The conversations that fill a request; at the end, also the rest. */
function* inRequests(pieces: readonly Piece[], isOver: boolean): Generator<Piece[]> {
  let request: Piece[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    request.push(piece);
    bytes += piece.isTooLarge ? 0 : piece.size;
    if (bytes < REQUEST.bytes && request.length < REQUEST.conversations) continue;
    yield request;
    request = [];
    bytes = 0;
  }
  if (isOver && request.length > 0) yield request;
}

function isWhole({ isTooLarge, size }: Piece): boolean {
  return !isTooLarge && size > 0;
}

function fileOf(pieces: readonly Piece[]): Blob {
  const parts = pieces.flatMap(({ bytes }, index) => [
    index === 0 ? '[' : ',',
    ...(bytes as Uint8Array<ArrayBuffer>[]),
  ]);
  return new Blob([...parts, ']'], { type: 'application/json' });
}

/** A result line with its index in the whole file. */
function itemOf(line: ImportLine, pieces: readonly Piece[]): ImportItem[] {
  const piece = 'index' in line ? pieces[line.index] : undefined;
  return 'index' in line && piece ? [{ ...line, index: piece.index }] : [];
}

function skip({ index, head }: Piece, reason: SkipReason): ImportItem {
  return { index, title: titleIn(head), outcome: 'skipped', reason };
}
