// Compares what the stores have with what the database knows, once a day. The order in which files are kept and removed
// leaves no difference; a database that is restored from a backup, or a lost disk, does.
import type { Db } from '@parley/db/client';
import { blobs } from '@parley/db/tables/files';
import { metadata } from '@parley/db/tables/metadata';
import { users } from '@parley/db/tables/users';
import { and, asc, eq, gt, lt, sql } from 'drizzle-orm';
import { storageKey, MissingFile, type FileStore, type FileStores } from '../../storage/file-store.ts';

interface Comparing {
  db: Db;
  stores: FileStores;
  onFault: (error: unknown) => void;
}

/** Bytes that only the store or only the database has. */
interface Difference {
  userId: string;
  hash: string;
  store: FileStore;
}

/** What the database takes for stored, and since when. */
interface Missing extends Difference {
  since: string;
}

const HOURS_BETWEEN = 24;
/** No upload takes as long: its parts belong to a process that died. */
const PARTS_MAX_MS = 24 * 60 * 60_000;
/** Blobs this young may have been written after the store was listed. */
const SETTLED_HOURS = 1;
const USERS_AT_ONCE = 200;
const LAST_TIME = 'stores_compared_at';

/** Compares unless one of the processes on this database has done so within a day. */
export async function compareStoresDaily(comparing: Comparing): Promise<void> {
  if (await claimDay(comparing.db)) await compareStores(comparing);
}

/**
 * Bytes without a blob become a blob that is `leaving`, which the sweep removes; bytes that a blob has in another store
 * are removed at once. A blob whose bytes are missing becomes `arriving`, so that an upload of the same bytes puts them
 * again; its files stay, since the store may be a disk that is not mounted. Nothing is changed when a store cannot be
 * read to its end.
 *
 * Keys of users whom this database does not know are left alone: another installation may share the bucket.
 */
export async function compareStores(comparing: Comparing): Promise<void> {
  const { db, stores, onFault } = comparing;
  const unknown: Difference[] = [];
  const missing: Missing[] = [];
  try {
    for await (const userId of listUsers(db))
      for (const store of stores.all) {
        const found = await compareFiles(db, store, userId);
        unknown.push(...found.unknown);
        missing.push(...found.missing);
      }
    for (const store of stores.all) await store.abortUploads?.(new Date(Date.now() - PARTS_MAX_MS));
  } catch (error) {
    onFault(error);
    return;
  }
  for (const difference of unknown) await forget(db, difference);
  for (const difference of missing) await expectAgain(db, difference);
  if (missing.length > 0) onFault(new Error(`The stores lack the bytes of ${missing.length} files`));
}

/** True for one process a day. */
async function claimDay({ query }: Db): Promise<boolean> {
  const now = new Date();
  const before = new Date(now.getTime() - HOURS_BETWEEN * 60 * 60_000).toISOString();
  const claimed = await query
    .insert(metadata)
    .values({ name: LAST_TIME, value: now.toISOString() })
    .onConflictDoUpdate({
      target: metadata.name,
      set: { value: now.toISOString() },
      setWhere: lt(metadata.value, before),
    })
    .returning({ name: metadata.name });
  return claimed.length > 0;
}

async function* listUsers({ query }: Db): AsyncGenerator<string> {
  let after: string | undefined;
  do {
    const page: { id: string }[] = await query
      .select({ id: users.id })
      .from(users)
      .where(after === undefined ? undefined : gt(users.id, after))
      .orderBy(asc(users.id))
      .limit(USERS_AT_ONCE);
    for (const { id } of page) yield id;
    after = page.at(-1)?.id;
  } while (after !== undefined);
}

/** The store is listed first: a blob is announced before its bytes come. */
async function compareFiles(db: Db, store: FileStore, userId: string) {
  const inStore = new Set<string>();
  for await (const key of store.list(`${userId}/`)) inStore.add(key);
  const rows = await db.query
    .select({
      hash: blobs.hash,
      since: blobs.since,
      isSettled: sql<boolean>`${blobs.state} = 'stored'
        and ${blobs.since} < now() - make_interval(hours => ${SETTLED_HOURS})`,
    })
    .from(blobs)
    .where(and(eq(blobs.userId, userId), eq(blobs.store, store.source)));
  const known = new Set(rows.map(({ hash }) => hash));
  const hashes = [...inStore].map(hashIn).filter((hash) => hash !== null);
  const unknown = hashes.filter((hash) => inStore.has(storageKey(userId, hash)) && !known.has(hash));
  const missing: Missing[] = [];
  for (const { hash, since, isSettled } of rows)
    if (isSettled && !inStore.has(storageKey(userId, hash)) && (await isMissing(store, storageKey(userId, hash))))
      missing.push({ userId, hash, store, since });
  return { unknown: unknown.map((hash): Difference => ({ userId, hash, store })), missing };
}

/** Null for a key that is none of ours. */
function hashIn(key: string): string | null {
  return /\/([\da-f]{64})$/.exec(key)?.[1] ?? null;
}

/** Asks the store itself: a listing may lag behind. */
async function isMissing(store: FileStore, key: string): Promise<boolean> {
  try {
    await (await store.read(key)).cancel();
    return false;
  } catch (error) {
    if (error instanceof MissingFile) return true;
    throw error;
  }
}

async function forget({ query }: Db, { userId, hash, store }: Difference): Promise<void> {
  const blob = { userId, hash, store: store.source, bytes: 0, state: 'leaving' } as const;
  await query.transaction(async (tx) => {
    const added = await tx.insert(blobs).values(blob).onConflictDoNothing().returning({ hash: blobs.hash });
    if (added.length > 0) return;
    const [other] = await tx.select({ store: blobs.store }).from(blobs).where(isBlob(userId, hash)).for('update');
    if (other && other.store !== store.source) await store.remove(storageKey(userId, hash));
  });
}

/** Unless the same bytes were put again meanwhile: the comparison of all users takes long. */
async function expectAgain({ query }: Db, { userId, hash, since }: Missing): Promise<void> {
  await query
    .update(blobs)
    .set({ state: 'arriving', since: sql`now()` })
    .where(and(isBlob(userId, hash), eq(blobs.state, 'stored'), eq(blobs.since, since)));
}

function isBlob(userId: string, hash: string) {
  return and(eq(blobs.userId, userId), eq(blobs.hash, hash));
}
