// Reads an import file as a stream and stores its conversations in small batches, so memory stays bounded.
import { IMPORT_LIMITS, type ImportFault, type ImportItem, type ImportLine } from '@parley/schema/transfer/results';
import { createSplitter } from '@parley/schema/transfer/splitter';
import type { AuthSession } from '../auth/session/authenticator.ts';
import type { Deps } from '../deps.ts';
import { logError } from '../platform/log-error.ts';
import { prepare, type Prepared } from './prepare.ts';
import { saveConvos } from './save.ts';
import { createTransferSpeed } from './transfer-speed.ts';

/** Limits of one transaction: it locks the user's row, so the user's asks wait for it. */
const BATCH = { convos: 50, messages: 500, bytes: 1_000_000 };
/** Time limit for the next chunk. */
const STALL_MS = 60_000;

type Body = ReadableStreamDefaultReader<Uint8Array>;

/** Yields one line per item of the file, in order, and a final one. */
export async function* importFile(
  deps: Deps,
  signedIn: AuthSession,
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ImportLine, void> {
  const reader = body.getReader();
  let items = 0;
  let isSignedIn = true;
  const unwatch = deps.sessions.watch(signedIn, () => {
    isSignedIn = false;
    // Ends a pending read.
    reader.cancel().catch(() => {});
  });
  try {
    const batches = inBatches(reader);
    for (;;) {
      const { done, value } = await batches.next();
      if (done && isSignedIn) return yield { end: true, items, fault: value };
      if (done || !isSignedIn || !(await deps.auth.isSignedIn(signedIn)))
        return yield { end: true, items, fault: 'signed_out' };
      items += value.length;
      yield* await saveBatch(deps, signedIn.userId, value);
    }
  } finally {
    unwatch();
    // Discards the rest; cancelling a broken connection fails, which is fine.
    reader.cancel().catch(() => {});
  }
}

type Batch = (Prepared | Extract<ImportItem, { outcome: 'skipped' }>)[];

/** Groups items into transactions, in file order. Returns why reading stopped early. */
async function* inBatches(reader: Body): AsyncGenerator<Batch, ImportFault | null> {
  const splitter = createSplitter(IMPORT_LIMITS);
  const speed = createTransferSpeed();
  let batch: Batch = [];
  for (;;) {
    const asked = performance.now();
    const arrived = await nextChunk(reader);
    const isTooSlow = arrived instanceof Uint8Array && !speed.isEnough(arrived.length, performance.now() - asked);
    const chunk = isTooSlow ? 'stalled' : arrived;
    if (!(chunk instanceof Uint8Array)) {
      if (batch.length > 0) yield batch;
      return chunk ?? splitter.fault();
    }
    for (const piece of splitter.push(chunk)) {
      const prepared = await prepare(piece, Date.now());
      batch.push('reason' in prepared ? { ...prepared, outcome: 'skipped' } : prepared);
      if (!isFull(batch)) continue;
      yield batch;
      batch = [];
    }
    if (!splitter.isBroken()) continue;
    if (batch.length > 0) yield batch;
    return splitter.fault();
  }
}

/** Null at the end of the file. */
async function nextChunk(reader: Body): Promise<Uint8Array | ImportFault | null> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<'stalled'>((resolve) => (timer = setTimeout(resolve, STALL_MS, 'stalled')));
  try {
    const result = await Promise.race([reader.read(), stalled]);
    return result === 'stalled' ? result : (result.value ?? null);
  } catch {
    return 'cut_off';
  } finally {
    clearTimeout(timer);
  }
}

function isFull(batch: Batch): boolean {
  let messages = 0;
  let bytes = 0;
  for (const one of batch) {
    if ('outcome' in one) continue;
    messages += one.messages.length;
    bytes += one.size;
  }
  return batch.length >= BATCH.convos || messages >= BATCH.messages || bytes >= BATCH.bytes;
}

/** Stores a batch. An item that the database rejects does not affect the others. */
async function saveBatch({ db, log }: Deps, userId: string, batch: Batch): Promise<ImportItem[]> {
  const wanted = batch.filter((one): one is Prepared => !('outcome' in one));
  const saved = new Map<number, ImportItem>();
  const keep = (items: readonly ImportItem[]) => items.forEach((item) => saved.set(item.index, item));
  try {
    keep(wanted.length > 0 ? await saveConvos(db, userId, wanted) : []);
  } catch {
    for (const one of wanted) keep(await saveConvos(db, userId, [one]).catch((error: unknown) => failed(one, error)));
  }
  return batch.flatMap((one) => ('outcome' in one ? one : (saved.get(one.index) ?? [])));

  function failed({ index, convo }: Prepared, error: unknown): ImportItem[] {
    logError(log, error, { event: 'import.failed', userId });
    return [{ index, title: convo.title, outcome: 'skipped', reason: 'failed' }];
  }
}
