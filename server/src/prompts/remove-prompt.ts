// Deletes prompts, as one entry of the trash each, and brings them back.
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@parley/db/client';
import { prompts } from '@parley/db/tables/prompts';
import { lockUser } from '@parley/db/user-rows';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { saveDeletion } from '../convos/deletions.ts';
import { assertRoom, freeCommand, present } from './save-prompt.ts';

/** Returns the id of the deletion, which undoes it; null when there is no such prompt. */
export function removePrompt({ query }: Db, userId: string, id: string): Promise<string | null> {
  const deletionId = randomUUID();
  return query.transaction(async (tx) => {
    await lockUser(tx, userId);
    const [removed] = await tx
      .update(prompts)
      .set({ deletedAt: sql`now()`, deletionId })
      .where(and(present(userId), eq(prompts.id, id)))
      .returning({ title: prompts.title });
    if (!removed) return null;
    await saveDeletion(tx, { id: deletionId, userId, kind: 'prompt', convoId: null, label: removed.title, count: 1 });
    return deletionId;
  });
}

/**
 * Undoes a deletion, in its transaction, which holds the lock of the user. Returns how many prompts came back. A command
 * that is taken meanwhile gets a number. @throws Refusal `conflict` when there are too many
 */
export async function restorePrompt(tx: Tx, userId: string, deletionId: string): Promise<number> {
  const [deleted] = await tx.select({ command: prompts.command }).from(prompts).where(ofDeletion(userId, deletionId));
  if (!deleted) return 0;
  const rows = await tx.select({ command: prompts.command }).from(prompts).where(present(userId));
  const command = freeCommand(deleted.command, new Set(rows.map((row) => row.command)));
  await tx.update(prompts).set({ deletedAt: null, deletionId: null, command }).where(ofDeletion(userId, deletionId));
  await assertRoom(tx, userId);
  return 1;
}

/** Deletes it permanently, with its versions and marks. */
export async function purgePrompt(tx: Tx, userId: string, deletionId: string): Promise<void> {
  await tx.delete(prompts).where(ofDeletion(userId, deletionId));
}

function ofDeletion(userId: string, deletionId: string) {
  return and(eq(prompts.userId, userId), eq(prompts.deletionId, deletionId), isNotNull(prompts.deletedAt));
}
