// Stores conversations of an import file in small batches as they arrive, so memory stays bounded.
import { IMPORT_LIMITS, type ImportFault, type ImportItem } from '@parley/schema/transfer/results';
import { createSplitter } from '@parley/schema/transfer/splitter';
import { roomForMessages } from '../messages/stored-messages.ts';
import { logError } from '../platform/log-error.ts';
import { nothingStored, type StoredLinks } from './stored-links.ts';
import { prepare, type Prepared } from './prepare.ts';
import { saveConvos } from './save.ts';
import type { SavePolicy } from './save-messages.ts';
import type { FileSaverDeps } from '../files/save-file.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

/** Bytes of a file in order, and why they end early. */
export type Chunks = AsyncGenerator<Uint8Array, ImportFault | null>;

export interface Importer {
  userId: string;
  /** False once the person has signed out, which ends the import. */
  isSignedIn(): Promise<boolean>;
}

/** How an import ended. */
export interface Ending {
  items: number;
  fault: ImportFault | null;
}

/** Limits of one transaction: it locks the user's row, so the user's asks wait for it. */
const BATCH = { convos: 50, messages: 500, bytes: 1_000_000 };

/** Yields one line per item of the JSON, in order. `stored` is what came with them. */
export async function* importConvos(
  deps: FileSaverDeps,
  importer: Importer,
  chunks: Chunks,
  stored: StoredLinks,
): AsyncGenerator<ImportItem, Ending> {
  const batches = inBatches(chunks, stored);
  const max = deps.config.limits.storedMessages;
  let room = await roomForMessages(deps.db.query, importer.userId, max);
  for (let items = 0; ;) {
    const { done, value } = await batches.next();
    if (!(await importer.isSignedIn())) return { items, fault: 'signed_out' };
    if (done) return { items, fault: value };
    items += value.length;
    const policy = { keepsIds: false, ...(stored.file !== nothingStored.file && { kept: stored.file }) };
    const saved = await saveBatch(deps, importer.userId, withinRoom(value, room), policy);
    for (const item of saved) if ('messages' in item) room -= item.messages;
    yield* saved;
  }
}

type Batch = (Prepared | Extract<ImportItem, { outcome: 'skipped' }>)[];

/** Groups items into transactions, in file order. Returns why reading stopped early. */
async function* inBatches(chunks: Chunks, stored: StoredLinks): AsyncGenerator<Batch, ImportFault | null> {
  const splitter = createSplitter(IMPORT_LIMITS);
  let batch: Batch = [];
  for (;;) {
    const { done, value: chunk } = await chunks.next();
    if (done) {
      if (batch.length > 0) yield batch;
      return chunk ?? splitter.fault();
    }
    for (const piece of splitter.push(chunk)) {
      for await (const prepared of prepare(piece, Date.now(), undefined, stored)) {
        batch.push('reason' in prepared ? { ...prepared, outcome: 'skipped' } : prepared);
        if (!isFull(batch)) continue;
        yield batch;
        batch = [];
      }
    }
    if (!splitter.isBroken()) continue;
    if (batch.length > 0) yield batch;
    return splitter.fault();
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

/** The batch without the conversations whose messages are more than the user may still store. */
function withinRoom(batch: Batch, room: number): Batch {
  let left = room;
  return batch.map((one) => {
    if ('outcome' in one) return one;
    const { convo, messages } = one;
    if (messages.length > left) return { ...placeIn(one), title: convo.title, outcome: 'skipped', reason: 'no_room' };
    left -= messages.length;
    return one;
  });
}

/** Stores a batch. An item that the database rejects does not affect the others. */
async function saveBatch(
  { db, log }: CoreServices,
  userId: string,
  batch: Batch,
  policy: SavePolicy,
): Promise<ImportItem[]> {
  const wanted = batch.filter((one): one is Prepared => !('outcome' in one));
  const saved = new Map<unknown, ImportItem>();
  const save = async (some: readonly Prepared[]) => {
    const items = some.length === 0 ? [] : await saveConvos(db, userId, some, policy);
    for (const [at, item] of items.entries()) {
      const one = some[at];
      if (one) saved.set(one, { ...item, ...placeIn(one) });
    }
  };
  try {
    await save(wanted);
  } catch {
    for (const one of wanted) await save([one]).catch((error: unknown) => saved.set(one, failed(one, error)));
  }
  return batch.flatMap((one) => ('outcome' in one ? one : (saved.get(one) ?? [])));

  function failed(one: Prepared, error: unknown): ImportItem {
    logError(log, error, { event: 'import.failed', userId });
    return { ...placeIn(one), title: one.convo.title, outcome: 'skipped', reason: 'failed' };
  }
}

function placeIn({ index, part }: Prepared): Pick<ImportItem, 'index' | 'part'> {
  return { index, ...(part !== undefined && { part }) };
}
