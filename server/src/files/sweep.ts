// Removes what nobody needs: files that were never used, bytes without a file, and what a crash left behind. Safe to
// run in many processes at once.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db, Tx } from '@parley/db/client';
import { drafts, queuedAsks } from '@parley/db/tables/drafts';
import { blobs, files, fileUses } from '@parley/db/tables/files';
import { messages } from '@parley/db/tables/messages';
import { schedules } from '@parley/db/tables/automation/schedules';
import { and, eq, isNotNull, isNull, lt, lte, notExists, sql, type SQL } from 'drizzle-orm';
import { compareStoresDaily } from './stores/compare-stores.ts';
import { storageKey, type FileStores } from '../storage/file-store.ts';
import { UNUSED_HOURS } from './save-file.ts';

interface Sweeping {
  db: Db;
  stores: FileStores;
  /** The folder of temporary files. */
  arrivals: string;
  /** How many days files without a use stay beyond their time; none when absent. */
  unusedDays?: number;
  onFault: (error: unknown) => void;
}

type BlobRef = { userId: string; hash: string };

/** After this time an upload that is still arriving belongs to a process that died; none may take as long. */
const ARRIVING_MAX_MS = 60 * 60_000;
const BATCH_BLOBS = 500;

export async function sweepFiles(sweeping: Sweeping): Promise<void> {
  const { db, arrivals, unusedDays = 0 } = sweeping;
  await sweepArrivals(arrivals);
  await sweepUses(db);
  await db.query.delete(files).where(isLeft(db, unusedDays));
  await compareStoresDaily(sweeping);
  await sweepBytes(sweeping);
}

/**
 * Removes the bytes unless a file needs them; false when one does. In two steps, so that a crash in between leaves a
 * blob that is `leaving`, which an upload of the same bytes does not take for stored.
 */
export async function removeBytes(
  { db, stores }: Pick<Sweeping, 'db' | 'stores'>,
  { userId, hash }: BlobRef,
): Promise<boolean> {
  const ofBlob = and(eq(blobs.userId, userId), eq(blobs.hash, hash));
  const isLeaving = await db.query.transaction(async (tx) => {
    const blob = await lockBlob(tx, { userId, hash });
    // Looked up under the lock: an upload may have created a file of these bytes meanwhile.
    if (!blob || blob.isBeingPut || (await isNeeded(tx, { userId, hash }))) return false;
    await tx
      .update(blobs)
      .set({ state: 'leaving', since: sql`now()` })
      .where(ofBlob);
    return true;
  });
  if (!isLeaving) return false;
  return db.query.transaction(async (tx) => {
    const blob = await lockBlob(tx, { userId, hash });
    if (blob?.state !== 'leaving') return false;
    // Under the lock: an upload of the same bytes waits, and then puts them anew.
    await stores.of(blob.store).remove(storageKey(userId, hash));
    await tx.delete(blobs).where(ofBlob);
    return true;
  });
}

/** How many files go that nothing uses. */
export function countLeft(db: Db, unusedDays: number): Promise<number> {
  return db.query.$count(files, isLeft(db, unusedDays));
}

/**
 * Unused files that many days past their time that no draft and no question that waits has. A file that is attached at
 * this moment is locked, and has no such time afterwards.
 */
function isLeft({ query }: Db, unusedDays: number): SQL | undefined {
  return and(
    lt(files.expiresAt, sql`now() - make_interval(days => ${unusedDays})`),
    notExists(usesOf(query)),
    notExists(ofFile(query, drafts)),
    notExists(ofFile(query, queuedAsks)),
    notExists(ofFile(query, schedules)),
  );
}

/**
 * Uses by messages that were deleted permanently. A file that loses its last use so has the time of one that was never
 * used: it goes unless it is attached again before.
 */
async function sweepUses({ query }: Db): Promise<void> {
  const message = query
    .select({ one: sql`1` })
    .from(messages)
    .where(and(eq(messages.userId, fileUses.userId), eq(messages.id, usedMessageId())));
  await query.transaction(async (tx) => {
    const gone = await tx
      .delete(fileUses)
      .where(and(eq(fileUses.kind, 'message'), notExists(message)))
      .returning({ userId: fileUses.userId, fileId: fileUses.fileId });
    if (gone.length > 0) await expireUnused(tx, gone);
  });
}

/**
 * Of these files, those without uses. Seen under their locks: one may be attached to another message at this moment.
 */
export async function expireUnused(tx: Tx, of: readonly { userId: string; fileId: string }[]): Promise<void> {
  const userIds = of.map(({ userId }) => userId);
  const fileIds = of.map(({ fileId }) => fileId);
  const isOne = sql`(${files.userId}, ${files.id}) in (
    select * from unnest(${sql.param(userIds)}::uuid[], ${sql.param(fileIds)}::uuid[])
  )`;
  await tx.select({ id: files.id }).from(files).where(isOne).orderBy(files.userId, files.id).for('no key update');
  await tx
    .update(files)
    .set({ expiresAt: sql`now() + make_interval(hours => ${UNUSED_HOURS})` })
    .where(and(isOne, isNull(files.expiresAt), notExists(usesOf(tx))));
}

function usesOf(query: Db['query'] | Tx) {
  return query
    .select({ one: sql`1` })
    .from(fileUses)
    .where(and(eq(fileUses.userId, files.userId), eq(fileUses.fileId, files.id)));
}

/** The message of a use. What other kinds name may be no UUID. */
export function usedMessageId() {
  return sql`case when ${fileUses.kind} = 'message' then ${fileUses.ref}::uuid end`;
}

/** Of these files, those that nothing has ever used, and that no draft but these and no waiting question has. */
export function isUnused({ query }: Db, draftKeys: readonly string[]) {
  const others = sql`${drafts.key} <> all(${sql.param(draftKeys)}::text[])`;
  return and(
    isNotNull(files.expiresAt),
    notExists(usesOf(query)),
    notExists(ofFile(query, drafts, others)),
    notExists(ofFile(query, queuedAsks)),
    notExists(ofFile(query, schedules)),
  );
}

/** The drafts, or the questions that wait or are asked by the clock, that have the file. */
function ofFile(query: Db['query'], unsent: typeof drafts | typeof queuedAsks | typeof schedules, which?: SQL) {
  const named = sql`jsonb_build_array(jsonb_build_object('fileId', ${files.id}))`;
  return query
    .select({ one: sql`1` })
    .from(unsent)
    .where(and(eq(unsent.userId, files.userId), sql`${unsent.files} @> ${named}`, which));
}

/** All that no file needs, each once: what fails waits for the next sweep, and a store that is away ends this one. */
async function sweepBytes(sweeping: Sweeping): Promise<void> {
  const [began] = await sweeping.db.query.execute<{ at: string }>(sql`select now()::text as at`);
  let failed = 0;
  for (;;) {
    const some = await listUnneeded(sweeping.db, began?.at ?? 'now');
    for (const blob of some)
      await removeBytes(sweeping, blob).catch((error: unknown) => {
        failed += 1;
        sweeping.onFault(error);
      });
    if (some.length < BATCH_BLOBS || failed >= BATCH_BLOBS) return;
  }
}

/** Of those untouched since then, the ones that have waited longest; the first step of a removal counts as touching. */
async function listUnneeded({ query }: Db, since: string): Promise<BlobRef[]> {
  return query
    .select({ userId: blobs.userId, hash: blobs.hash })
    .from(blobs)
    .leftJoin(files, and(eq(files.userId, blobs.userId), eq(files.hash, blobs.hash)))
    .where(and(isNull(files.id), sql`not ${isBeingPut}`, lte(blobs.since, since)))
    .orderBy(blobs.since)
    .limit(BATCH_BLOBS);
}

const isBeingPut = sql`(
  ${blobs.state} = 'arriving' and ${blobs.since} > now() - make_interval(secs => ${ARRIVING_MAX_MS / 1000})
)`;

async function lockBlob(tx: Tx, { userId, hash }: BlobRef) {
  const [blob] = await tx
    .select({ state: blobs.state, store: blobs.store, isBeingPut: sql<boolean>`${isBeingPut}` })
    .from(blobs)
    .where(and(eq(blobs.userId, userId), eq(blobs.hash, hash)))
    .for('update');
  return blob;
}

async function isNeeded(tx: Tx, { userId, hash }: BlobRef): Promise<boolean> {
  const [file] = await tx
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.userId, userId), eq(files.hash, hash)))
    .limit(1);
  return file !== undefined;
}

/** Temporary files of processes that died: nothing is written to them any more. */
export async function sweepArrivals(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtimeMs < Date.now() - ARRIVING_MAX_MS) await rm(path, { force: true });
  }
}
