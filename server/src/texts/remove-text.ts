// Tests of this room: tests/integration/prompts, tests/integration/skills.

// Deletes texts, as one entry of the trash each, and brings them back.
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@parley/db/client';
import { withUserLock } from '@parley/db/user-rows';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { saveDeletion } from '../convos/deletions.ts';
import { assertRoom, findFreeName, keptText, type TextKind } from './texts.ts';

/** Returns the id of the deletion, which undoes it; null when there is no such text. */
export function removeText({ query }: Db, kind: TextKind, userId: string, id: string): Promise<string | null> {
  const deletionId = randomUUID();
  return withUserLock(query, userId, async (tx) => {
    const [removed] = await tx
      .update(kind.table)
      .set({ deletedAt: sql`now()`, deletionId })
      .where(keptText(kind, userId, id))
      .returning({ label: kind.label });
    if (!removed) return null;
    await saveDeletion(tx, { id: deletionId, userId, kind: kind.what, convoId: null, label: removed.label, count: 1 });
    return deletionId;
  });
}

/**
 * Undoes a deletion, in its transaction, which holds the lock of the user. Returns how many texts came back. A name that
 * is taken meanwhile gets a number. @throws Refusal `conflict` when there are too many
 */
export async function restoreText(tx: Tx, kind: TextKind, userId: string, deletionId: string): Promise<number> {
  const { table, name } = kind;
  const isIt = isOfDeletion(kind, userId, deletionId);
  const [deleted] = await tx.select({ id: table.id, name: name.column }).from(table).where(isIt);
  if (!deleted) return 0;
  const free = await findFreeName(tx, kind, userId, deleted);
  await tx
    .update(table)
    .set({ deletedAt: null, deletionId: null, [name.key]: free })
    .where(isIt);
  await assertRoom(tx, kind, userId);
  return 1;
}

/** Deletes it permanently, with its versions and all that refers to it. Returns its id. */
export async function purgeText(tx: Tx, kind: TextKind, userId: string, deletionId: string): Promise<{ id: string }[]> {
  return tx
    .delete(kind.table)
    .where(isOfDeletion(kind, userId, deletionId))
    .returning({ id: kind.table.id });
}

function isOfDeletion({ table }: TextKind, userId: string, deletionId: string) {
  return and(eq(table.userId, userId), eq(table.deletionId, deletionId), isNotNull(table.deletedAt));
}
