import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import type { Removed } from '@parley/schema/convos/deletions';
import { and, count, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { saveDeletion } from './deletions.ts';
import { changeMany, isAmong, ownedBy, permanentOwnedBy, type Changed } from './rows.ts';

/**
 * Deletes these conversations of a user, or all of them, as one undoable deletion. Their messages stay unmarked: they
 * are only visible through their conversation. Their runs are asked to stop, without waiting. Temporary conversations
 * end permanently, without an undo.
 */
export async function removeConvos(db: Db, userId: string, ids: readonly string[] | 'all'): Promise<Removed> {
  const deletionId = randomUUID();
  const { ended, binned } = await db.query.transaction(async (tx) => {
    const chosen = ids === 'all' ? undefined : isAmong(convos.id, ids);
    const ended = await endTemporary(tx, userId, chosen);
    const rows = await binConvos(tx, userId, and(permanentOwnedBy(userId), chosen), deletionId);
    await stopAll(tx, userId, rows);
    return { ended, binned: rows.length };
  });
  if (binned === 0) return { deletionId: null, deletedCount: ended, deletedMessages: 0 };
  return { deletionId, deletedCount: ended + binned, deletedMessages: await countMessages(db, userId, deletionId) };
}

/** Puts those of a user that fit into the trash, as one entry of it; none where none fits. */
export async function binConvos(
  tx: Tx,
  userId: string,
  fits: SQL | undefined,
  deletionId: string = randomUUID(),
): Promise<Changed[]> {
  const rows = await changeMany(tx, userId, fits, { deletedAt: sql`now()`, deletionId });
  const newest = newestOf(rows);
  if (!newest) return rows;
  const convoId = rows.length === 1 ? newest.id : null;
  const label = newest.title ?? '';
  await saveDeletion(tx, { id: deletionId, userId, kind: 'convos', convoId, label, count: rows.length });
  return rows;
}

async function endTemporary(tx: Tx, userId: string, chosen: SQL | undefined): Promise<number> {
  const rows = await tx
    .update(convos)
    .set({ temporaryUntil: sql`now()` })
    .where(and(ownedBy(userId), isNotNull(convos.temporaryUntil), chosen))
    .returning({ id: convos.id, running: convos.running });
  await stopAll(tx, userId, rows);
  return rows.length;
}

function newestOf(rows: readonly Changed[]): Changed | undefined {
  return rows.reduce<Changed | undefined>(
    (newest, row) => (newest && newest.updatedAt >= row.updatedAt ? newest : row),
    undefined,
  );
}

/** Requests the owners of the runs to stop; a dead process's run has nothing to stop, and recovery needs no request. */
export async function stopAll(tx: Tx, userId: string, rows: readonly Pick<Changed, 'id' | 'running'>[]): Promise<void> {
  const running = rows.flatMap((row) => (row.running === null ? [] : row.id));
  if (running.length === 0) return;
  const told = sql`pg_notify('parley', 'stop:' || ${generations.id})`;
  await tx
    .update(generations)
    .set({ stopRequested: true })
    .where(and(isAmong(generations.convoId, running), eq(generations.userId, userId), isNull(generations.endedAt)))
    .returning({ told });
}

async function countMessages({ query }: Db, userId: string, deletionId: string): Promise<number> {
  const [counted] = await query
    .select({ messages: count() })
    .from(messages)
    .innerJoin(convos, and(eq(convos.userId, messages.userId), eq(convos.id, messages.convoId)))
    .where(and(eq(convos.userId, userId), eq(convos.deletionId, deletionId), isNull(messages.deletedAt)));
  return counted?.messages ?? 0;
}
