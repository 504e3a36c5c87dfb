// The per-user change feed. Each conversation row carries the counter of its last change, so catching up after any gap
// is one query over what changed since, and a hundred changes of one conversation are one.
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { users } from '@parley/db/tables/users';
import type { Change } from '@parley/schema/convos';
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { refuse } from '../errors.ts';
import type { Notices } from '../notices.ts';
import { presentConvo } from './present.ts';

const PAGE = 200;

/**
 * The next number of the user's change counter, to be written on the conversation that changes. Takes the user's row
 * lock until the transaction ends, so numbers become visible in their order; call it first in the transaction, so that
 * all of a user's transactions take their locks in one order. Readers are told at the commit. `count` takes several
 * numbers and gives the last.
 */
export async function nextChange(tx: Tx, userId: string, count = 1): Promise<number> {
  const [row] = await tx
    .update(users)
    .set({ changeSeq: sql`${users.changeSeq} + ${count}` })
    .where(eq(users.id, userId))
    .returning({ seq: users.changeSeq, told: sql`pg_notify('parley', ${`change:${userId}`}::text)` });
  return row?.seq ?? refuse({ type: 'not_found', what: 'user' });
}

/** What changed after `afterSeq`, then every change as it comes. Without a cursor: only what comes. */
export async function* followChanges(
  { db, notices }: { db: Db; notices: Notices },
  userId: string,
  afterSeq: number | null,
  signal: AbortSignal,
): AsyncGenerator<Change> {
  // Listening before reading: a change between the two rings and is read by the next round.
  const bell = notices.bell(`change:${userId}`);
  try {
    const newest = await readCounter(db, userId);
    let cursor = afterSeq ?? newest;
    if (cursor > newest) {
      // A cursor from the future belongs to a database that was restored from a backup.
      yield { type: 'reset', seq: newest };
      cursor = newest;
    }
    while (!signal.aborted) {
      const changes = await listChanges(db, userId, cursor);
      for (const change of changes) {
        yield change;
        cursor = change.seq;
      }
      if (changes.length < PAGE) await bell.next(signal);
    }
  } finally {
    bell.end();
  }
}

async function listChanges({ query }: Db, userId: string, afterSeq: number): Promise<Change[]> {
  const rows = await query
    .select()
    .from(convos)
    .where(and(eq(convos.userId, userId), gt(convos.changeSeq, afterSeq)))
    .orderBy(asc(convos.changeSeq))
    .limit(PAGE);
  return rows.map((row) =>
    row.deletedAt === null
      ? { type: 'convo', seq: row.changeSeq, convo: presentConvo(row) }
      : { type: 'removed', seq: row.changeSeq, conversationId: row.id },
  );
}

async function readCounter({ query }: Db, userId: string): Promise<number> {
  const [row] = await query.select({ seq: users.changeSeq }).from(users).where(eq(users.id, userId));
  return row?.seq ?? 0;
}
