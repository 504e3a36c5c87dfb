// The per-user change feed. Each conversation and each draft carries the counter of its last change, so catching up
// after any gap is one look at what changed since, and a hundred changes of one conversation are one.
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { drafts } from '@parley/db/tables/drafts';
import { users } from '@parley/db/tables/users';
import type { Change } from '@parley/schema/convos';
import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import { presentDraft } from '../drafts/present.ts';
import { refuse } from '../errors.ts';
import type { Notices } from '../notices.ts';
import { presentConvo, type ConvoRow } from './present.ts';

const PAGE = 200;

/**
 * The next number of the user's change counter, to be written on the row that changes. Takes the user's row
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
    const start = await readCounter(db, userId);
    let { newest } = start;
    let cursor = afterSeq ?? newest;
    // A cursor from the future belongs to a database that was restored from a backup.
    if (cursor > newest || cursor < start.forgotten) {
      yield { type: 'reset', seq: newest };
      cursor = newest;
    }
    while (!signal.aborted) {
      const changes = newest > cursor ? await listChanges(db, userId, { after: cursor, upTo: newest }) : [];
      for (const change of changes) {
        yield change;
        cursor = change.seq;
      }
      if (changes.length === PAGE) continue;
      await bell.next(signal);
      if (!signal.aborted) ({ newest } = await readCounter(db, userId));
    }
  } finally {
    bell.end();
  }
}

/**
 * A page of what changed, in order. What is changed while it reads is left for later: two tables are read, and a number
 * of the one must not be passed over for a greater one of the other.
 */
async function listChanges(
  { query }: Db,
  userId: string,
  { after, upTo }: { after: number; upTo: number },
): Promise<Change[]> {
  const [convoRows, draftRows] = await Promise.all([
    query
      .select()
      .from(convos)
      .where(and(eq(convos.userId, userId), gt(convos.changeSeq, after), lte(convos.changeSeq, upTo)))
      .orderBy(asc(convos.changeSeq))
      .limit(PAGE),
    query
      .select()
      .from(drafts)
      .where(and(eq(drafts.userId, userId), gt(drafts.changeSeq, after), lte(drafts.changeSeq, upTo)))
      .orderBy(asc(drafts.changeSeq))
      .limit(PAGE),
  ]);
  return [...convoRows.map(changeOf), ...draftRows.map(changeOfDraft)].toSorted((a, b) => a.seq - b.seq).slice(0, PAGE);
}

function changeOf(row: ConvoRow): Change {
  return row.deletedAt === null
    ? { type: 'convo', seq: row.changeSeq, convo: presentConvo(row) }
    : { type: 'removed', seq: row.changeSeq, conversationId: row.id };
}

function changeOfDraft(row: typeof drafts.$inferSelect): Change {
  return { type: 'draft', seq: row.changeSeq, draft: presentDraft(row) };
}

async function readCounter({ query }: Db, userId: string): Promise<{ newest: number; forgotten: number }> {
  const [row] = await query
    .select({ newest: users.changeSeq, forgotten: users.forgottenSeq })
    .from(users)
    .where(eq(users.id, userId));
  return row ?? { newest: 0, forgotten: 0 };
}
