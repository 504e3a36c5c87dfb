import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { deletions } from '@parley/db/tables/deletions';
import { messages } from '@parley/db/tables/messages';
import { MANY_MAX } from '@parley/schema/convos';
import type { Restored } from '@parley/schema/deletions';
import { and, eq } from 'drizzle-orm';
import { refuse } from '../errors.ts';
import { forgetSummaries } from '../messages/forget-summaries.ts';
import { hangAgain } from '../messages/hang-again.ts';
import { nextChange } from './changes.ts';
import type { DeletionRow } from './deletions.ts';
import { changeMany, touchMessages } from './rows.ts';

const BACK = { deletedAt: null, deletionId: null };

/**
 * Brings back what one deletion took, and nothing else: what was deleted of a conversation before it went stays deleted
 * when it comes back. Messages of a conversation that is in the bin itself are `not_found` until it is back.
 * @throws Refusal `not_found`
 */
export async function restoreDeletion(db: Db, userId: string, deletionId: string): Promise<Restored> {
  return db.query.transaction(async (tx) => {
    await nextChange(tx, userId);
    const [deletion] = await tx
      .delete(deletions)
      .where(and(eq(deletions.userId, userId), eq(deletions.id, deletionId)))
      .returning();
    if (!deletion) return refuse({ type: 'not_found', what: 'convo' });
    const { ids, count } = await (deletion.kind === 'convos'
      ? restoreConvos(tx, deletion)
      : restoreMessages(tx, deletion));
    if (count === 0) refuse({ type: 'not_found', what: deletion.kind === 'convos' ? 'convo' : 'message' });
    return { kind: deletion.kind, conversationIds: ids.slice(0, MANY_MAX), count };
  });
}

async function restoreConvos(tx: Tx, { userId, id }: DeletionRow): Promise<{ ids: string[]; count: number }> {
  const rows = await changeMany(tx, userId, eq(convos.deletionId, id), BACK);
  return { ids: rows.map((row) => row.id), count: rows.length };
}

async function restoreMessages(
  tx: Tx,
  { userId, id, convoId }: DeletionRow,
): Promise<{ ids: string[]; count: number }> {
  const convo = await touchMessages(tx, userId, convoId ?? '');
  const rows = await tx
    .update(messages)
    .set(BACK)
    .where(and(eq(messages.userId, userId), eq(messages.convoId, convo.id), eq(messages.deletionId, id)))
    .returning({ seq: messages.seq });
  const place = { userId, convoId: convo.id };
  for (const { seq } of rows.toSorted((a, b) => a.seq - b.seq).slice(0, 1))
    await forgetSummaries(tx, { ...place, seq });
  await hangAgain(tx, place);
  return { ids: [convo.id], count: rows.length };
}
