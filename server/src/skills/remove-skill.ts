// Deletes skills, as one entry of the trash each, and brings them back.
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@parley/db/client';
import { skills } from '@parley/db/tables/automation/skills';
import { lockUser } from '@parley/db/user-rows';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { saveDeletion } from '../convos/deletions.ts';
import { endUses } from '../files/attach-files.ts';
import { present } from './list-skills.ts';
import { assertRoom, findFreeName } from './save-skill.ts';

/** Returns the id of the deletion, which undoes it; null when there is no such skill. */
export function removeSkill({ query }: Db, userId: string, id: string): Promise<string | null> {
  const deletionId = randomUUID();
  return query.transaction(async (tx) => {
    await lockUser(tx, userId);
    const [removed] = await tx
      .update(skills)
      .set({ deletedAt: sql`now()`, deletionId })
      .where(and(present(userId), eq(skills.id, id)))
      .returning({ name: skills.name });
    if (!removed) return null;
    await saveDeletion(tx, { id: deletionId, userId, kind: 'skill', convoId: null, label: removed.name, count: 1 });
    return deletionId;
  });
}

/**
 * Undoes a deletion, in its transaction, which holds the lock of the user. Returns how many skills came back. A name that
 * is taken meanwhile gets a number. @throws Refusal `conflict` when there are too many
 */
export async function restoreSkill(tx: Tx, userId: string, deletionId: string): Promise<number> {
  const isIt = isOfDeletion(userId, deletionId);
  const [deleted] = await tx.select({ id: skills.id, name: skills.name }).from(skills).where(isIt);
  if (!deleted) return 0;
  const name = await findFreeName(tx, userId, deleted.id, deleted.name);
  await tx.update(skills).set({ deletedAt: null, deletionId: null, name }).where(isIt);
  await assertRoom(tx, userId);
  return 1;
}

/** Deletes it permanently, with its versions; its files go unless something else uses them. */
export async function purgeSkill(tx: Tx, userId: string, deletionId: string): Promise<void> {
  const gone = await tx.delete(skills).where(isOfDeletion(userId, deletionId)).returning({ id: skills.id });
  for (const { id } of gone) await endUses(tx, userId, { kind: 'skill', ref: id });
}

function isOfDeletion(userId: string, deletionId: string) {
  return and(eq(skills.userId, userId), eq(skills.deletionId, deletionId), isNotNull(skills.deletedAt));
}
