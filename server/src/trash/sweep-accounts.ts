// Deletes the accounts whose owners asked for it, with all that is theirs, when their time to come back is over.
import type { Db, Tx } from '@parley/db/client';
import { tablesDeletedByOwner } from '@parley/db/all-tables';
import { convos } from '@parley/db/tables/convos';
import { users } from '@parley/db/tables/users';
import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { audit } from '../platform/audit.ts';

/** Conversations deleted at once; each may have thousands of messages. */
const CONVOS_AT_ONCE = 20;

/** Safe to run in many processes at once. The bytes of files go with the next sweep of files. */
export async function sweepAccounts({ db, log }: { db: Db; log: Logger }): Promise<void> {
  const due = await db.query.select({ id: users.id }).from(users).where(isDue());
  for (const { id } of due) {
    while (await deleteConvos(db, id));
    if (await deleteAccount(db, id)) audit({ log }, 'account_deleted', { userId: id });
  }
}

/** False when none is left, or the account is not to be deleted any more. */
function deleteConvos({ query }: Db, userId: string): Promise<boolean> {
  return query.transaction(async (tx) => {
    if (!(await isStillDue(tx, userId))) return false;
    const some = tx.select({ id: convos.id }).from(convos).where(eq(convos.userId, userId)).limit(CONVOS_AT_ONCE);
    const gone = await tx
      .delete(convos)
      .where(and(eq(convos.userId, userId), inArray(convos.id, some)))
      .returning({ id: convos.id });
    return gone.length > 0;
  });
}

/** False when its owner came back. */
function deleteAccount({ query }: Db, userId: string): Promise<boolean> {
  return query.transaction(async (tx) => {
    if (!(await isStillDue(tx, userId))) return false;
    // What names no other row of the user goes by itself; all else goes with the user's row.
    for (const { table, owner } of tablesDeletedByOwner()) await tx.delete(table).where(eq(owner, userId));
    await tx.delete(users).where(eq(users.id, userId));
    return true;
  });
}

/** Locks the account: a sign-in that takes the deletion back waits, or has come first. */
async function isStillDue(tx: Tx, userId: string) {
  const [row] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isDue()))
    .for('update');
  return row !== undefined;
}

function isDue() {
  return lte(users.deletionDueAt, sql`now()`);
}
