// Deletes the accounts whose time has come: what is outside of the database first, then the user's row, with which all
// other rows go. A crash in between is made good by the next call. Safe to run in many processes at once.
import type { Db } from '@parley/db/client';
import { blobs, files } from '@parley/db/tables/files';
import { users } from '@parley/db/tables/users';
import { and, eq, lte, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { removeBytes } from '../files/sweep.ts';
import { audit } from '../platform/audit.ts';
import { isDocument } from '../retrieval/documents.ts';
import type { Retrieval } from '../retrieval/retrieval.ts';
import type { FileStores } from '../storage/file-store.ts';

interface Sweeping {
  db: Db;
  log: Logger;
  stores: FileStores;
  retrieval: Pick<Retrieval, 'forget'>;
  onFault: (error: unknown) => void;
}

/** Nobody can keep an account that is due, nor use it: its sessions give no access. */
export async function sweepAccounts(sweeping: Sweeping): Promise<void> {
  const due = await sweeping.db.query.select({ id: users.id }).from(users).where(isDue());
  for (const { id } of due) await removeAccount(sweeping, id).catch(sweeping.onFault);
}

async function removeAccount({ db, log, stores, retrieval }: Sweeping, userId: string): Promise<void> {
  const { query } = db;
  const removed = await query
    .delete(files)
    .where(eq(files.userId, userId))
    .returning({ id: files.id, mime: files.mime, context: files.context });
  const documents = removed.filter(isDocument).map(({ id }) => id);
  if (documents.length > 0) retrieval.forget(userId, documents);
  const kept = await query.select({ hash: blobs.hash }).from(blobs).where(eq(blobs.userId, userId));
  for (const { hash } of kept) await removeBytes({ db, stores }, { userId, hash });
  const [left] = await query.select({ hash: blobs.hash }).from(blobs).where(eq(blobs.userId, userId)).limit(1);
  // An upload that is still arriving: the next call finds its end.
  if (left) return;
  const gone = await query
    .delete(users)
    .where(and(eq(users.id, userId), isDue()))
    .returning({ id: users.id });
  if (gone.length > 0) audit({ log }, 'account_deleted', { userId });
}

function isDue() {
  return lte(users.deletionDueAt, sql`now()`);
}
