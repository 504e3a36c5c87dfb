// Deletes assistants, as one entry of the trash each, and brings them back.
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@parley/db/client';
import { actions, assistants } from '@parley/db/tables/assistants';
import { connections } from '@parley/db/tables/tools';
import type { AssistantStatus } from '@parley/schema/assistants/assistants';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { actionService } from '../actions/rows.ts';
import { nextChange } from '../convos/changes.ts';
import { saveDeletion } from '../convos/deletions.ts';
import { refuse } from '../platform/errors.ts';
import { endUses } from '../files/attach-files.ts';
import { ownedBy } from './assistants.ts';
import type { AssistantRules } from './rules.ts';
import { findUsable } from './shared-assistants.ts';

/**
 * Deletes an assistant; what is its own stays with it for the time of the trash: its actions with their tokens, its
 * files and its image. Returns the id of the deletion, which undoes it. @throws Refusal `not_found`
 */
export function removeAssistant({ query }: Db, userId: string, id: string): Promise<string> {
  const deletionId = randomUUID();
  return query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    const [removed] = await tx
      .update(assistants)
      .set({ deletedAt: sql`now()`, deletionId, changeSeq })
      .where(ownedBy(userId, id))
      .returning({ name: assistants.name });
    if (!removed) return refuse({ type: 'not_found', what: 'assistant' });
    const label = removed.name ?? '';
    await saveDeletion(tx, { id: deletionId, userId, kind: 'assistant', convoId: null, label, count: 1 });
    return deletionId;
  });
}

/** Undoes a deletion, in its transaction. Returns how many assistants came back. */
export async function restoreAssistant(
  tx: Tx,
  userId: string,
  { deletionId, changeSeq }: { deletionId: string; changeSeq: number },
): Promise<number> {
  const back = await tx
    .update(assistants)
    .set({ deletedAt: null, deletionId: null, changeSeq })
    .where(ofDeletion(userId, deletionId))
    .returning({ id: assistants.id });
  return back.length;
}

/** Deletes it permanently, with its actions and their tokens; its files expire unless something else uses them. */
export async function purgeAssistant(tx: Tx, userId: string, deletionId: string): Promise<void> {
  const rows = await tx.select({ id: assistants.id }).from(assistants).where(ofDeletion(userId, deletionId));
  for (const { id } of rows) {
    const ofIt = and(eq(actions.userId, userId), eq(actions.assistantId, id));
    const gone = await tx.select({ id: actions.id }).from(actions).where(ofIt).for('update');
    await tx.delete(assistants).where(and(eq(assistants.userId, userId), eq(assistants.id, id)));
    const services = gone.map((action) => actionService(action.id));
    await tx.delete(connections).where(and(eq(connections.userId, userId), inArray(connections.service, services)));
    await endUses(tx, userId, { kind: 'assistant', ref: id });
    await endUses(tx, userId, { kind: 'avatar', ref: id });
  }
}

/** Whether an assistant answers this person, for a conversation that names it. */
export async function readStatus(
  { query }: Db,
  userId: string,
  id: string,
  rules: AssistantRules,
): Promise<AssistantStatus> {
  if (await findUsable(query, userId, id, rules)) return { status: 'usable' };
  const [row] = await query
    .select({ name: assistants.name, deletionId: assistants.deletionId })
    .from(assistants)
    .where(and(eq(assistants.userId, userId), eq(assistants.id, id)));
  if (!row?.deletionId) return { status: 'missing' };
  return { status: 'deleted', name: row.name, deletionId: row.deletionId };
}

function ofDeletion(userId: string, deletionId: string) {
  return and(eq(assistants.userId, userId), eq(assistants.deletionId, deletionId));
}
