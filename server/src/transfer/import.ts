// Takes an import file while it arrives: conversations as JSON, or the ZIP file of an export of everything.
import type { ImportFault, ImportLine } from '@parley/schema/transfer/results';
import type { AuthSession, Authenticator } from '../platform/requests/auth-session.ts';
import { withTimeout } from '../platform/deadline.ts';
import { importArchive, type ImportServices } from './archive/import-archive.ts';
import { createPictureStore } from './archive/keep-contents.ts';
import { importConvos, type Chunks, type Importer } from './import-convos.ts';
import { nothingStored } from './stored-links.ts';
import type { SessionWatch } from '../http/session-watch.ts';

export interface ImportRouteServices extends ImportServices {
  auth: Authenticator;
  sessions: SessionWatch;
}

/** Time limit for the next chunk. */
const STALL_MS = 60_000;
/** ZIP files begin with it, JSON never does. */
const ZIP = Buffer.from('PK');

type Body = ReadableStreamDefaultReader<Uint8Array>;

/** Yields a line for each thing in the file, in order, and a final one. */
export async function* importFile(
  deps: ImportRouteServices,
  signedIn: AuthSession,
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ImportLine, void> {
  const reader = body.getReader();
  let hasLeft = false;
  const unwatch = deps.sessions.watch(signedIn, () => {
    hasLeft = true;
    // Ends a pending read.
    reader.cancel().catch(() => {});
  });
  const importer: Importer = {
    userId: signedIn.userId,
    isSignedIn: async () => !hasLeft && (await deps.auth.isSignedIn(signedIn)),
  };
  try {
    const { isZip, chunks } = await recognise(arriving(reader));
    const links = { ...nothingStored, keepPicture: createPictureStore(deps, importer.userId) };
    const ending = yield* isZip ? importArchive(deps, importer, chunks) : importConvos(deps, importer, chunks, links);
    yield { end: true, ...ending };
  } finally {
    unwatch();
    // Discards the rest; cancelling a broken connection fails, which is fine.
    reader.cancel().catch(() => {});
  }
}

/** Looks at the first bytes; `chunks` has them, too. */
async function recognise(chunks: Chunks): Promise<{ isZip: boolean; chunks: Chunks }> {
  let head = Buffer.alloc(0);
  let next = await chunks.next();
  for (; !next.done && head.length + next.value.length < ZIP.length; next = await chunks.next())
    head = Buffer.concat([head, next.value]);
  const last = next;
  if (!last.done) head = Buffer.concat([head, last.value]);
  return { isZip: head.subarray(0, ZIP.length).equals(ZIP), chunks: all() };

  async function* all(): Chunks {
    if (head.length > 0) yield head;
    return last.done ? last.value : yield* chunks;
  }
}

/** The body in chunks; returns why it ended early. */
async function* arriving(reader: Body): Chunks {
  const speed = createTransferSpeed();
  for (;;) {
    const asked = performance.now();
    const arrived = await nextChunk(reader);
    if (!(arrived instanceof Uint8Array)) return arrived;
    if (!speed.isEnough(arrived.length, performance.now() - asked)) return 'stalled';
    yield arrived;
  }
}

/** Null at the end of the file. */
async function nextChunk(reader: Body): Promise<Uint8Array | ImportFault | null> {
  try {
    const result = await withTimeout(reader.read(), STALL_MS, () => null);
    return result ? (result.value ?? null) : 'stalled';
  } catch {
    return 'cut_off';
  }
}

/** Minimum speed, in bytes per second of waiting for the client. */
const BYTES_PER_SECOND_MIN = 16 * 1024;
/** Waiting time before the first check, in milliseconds, so that a slow start is tolerated. */
const GRACE_MS = 30_000;

interface TransferSpeed {
  /** Counts received bytes and the time waited for them; false when the client is too slow. */
  isEnough(bytes: number, waitedMs: number): boolean;
}

/**
 * Measures a client's recent upload speed: a slow client must not block one of the few import slots. Excludes time in
 * which the server itself was busy.
 */
export function createTransferSpeed(): TransferSpeed {
  let waited = 0;
  let arrived = 0;
  return {
    isEnough(bytes, waitedMs) {
      waited += waitedMs;
      arrived += bytes;
      if (waited < GRACE_MS) return true;
      const isFast = (arrived * 1000) / waited >= BYTES_PER_SECOND_MIN;
      // Checks each period by itself, so an early fast one does not excuse slow hours.
      waited = 0;
      arrived = 0;
      return isFast;
    },
  };
}
