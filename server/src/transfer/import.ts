// Reads a file as it arrives, and stores its conversations a few at a time. Nothing of it is kept longer than that.
import { IMPORT_LIMITS, type ImportFault, type ImportItem, type ImportLine } from '@parley/schema/transfer';
import { createSplitter } from '@parley/schema/transfer-splitter';
import type { SignedIn } from '../auth/authenticator.ts';
import type { Deps } from '../deps.ts';
import { reportFault } from '../report.ts';
import { prepare, type Prepared } from './prepare.ts';
import { saveConvos } from './save.ts';

/** What one transaction takes: it holds the user's row, so that a question of theirs waits for it. */
const BATCH = { convos: 50, messages: 500, bytes: 1_000_000 };
/** A sender that is silent for longer has gone. */
const STALL_MS = 60_000;

type Body = ReadableStreamDefaultReader<Uint8Array>;

/** One line for each thing in the file, in its order, and one for the end. */
export async function* importFile(
  deps: Deps,
  signedIn: SignedIn,
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ImportLine, void> {
  const reader = body.getReader();
  let items = 0;
  try {
    const batches = inBatches(reader);
    for (;;) {
      const { done, value } = await batches.next();
      if (done) return yield { end: true, items, fault: value };
      if (!(await deps.auth.isSignedIn(signedIn))) return yield { end: true, items, fault: 'signed_out' };
      items += value.length;
      yield* await saveBatch(deps, signedIn.userId, value);
    }
  } finally {
    // What was not read is not wanted; a connection that broke has nothing to cancel.
    reader.cancel().catch(() => {});
  }
}

type Batch = (Prepared | Extract<ImportItem, { outcome: 'skipped' }>)[];

/** What belongs in one transaction, in the order of the file. Returns why the file was not read to its end. */
async function* inBatches(reader: Body): AsyncGenerator<Batch, ImportFault | null> {
  const splitter = createSplitter(IMPORT_LIMITS);
  let batch: Batch = [];
  for (;;) {
    const chunk = await nextChunk(reader);
    if (!(chunk instanceof Uint8Array)) {
      if (batch.length > 0) yield batch;
      return chunk ?? splitter.fault();
    }
    for (const piece of splitter.push(chunk)) {
      const prepared = prepare(piece, Date.now());
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

/** Stores what can be stored. One that the database refuses keeps none of the others away. */
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
    reportFault(log, error instanceof Error ? error : new Error(String(error)), 'import');
    return [{ index, title: convo.title, outcome: 'skipped', reason: 'failed' }];
  }
}
