import { DeletionRef, TrashPage, type Restored } from '@parley/schema/convos/deletions';
import { listDeletions, type DeletionRow } from '../convos/deletions.ts';
import { protectedProcedure, router } from '../http/trpc.ts';
import { RETENTION } from './retention.ts';
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { deletions } from '@parley/db/tables/deletions';
import { messages } from '@parley/db/tables/messages';
import { MANY_MAX } from '@parley/schema/convos/convos';
import { and, eq, sql } from 'drizzle-orm';
import { restoreAssistant } from '../assistants/remove-assistant.ts';
import { refuse } from '../platform/errors.ts';
import { restoreText } from '../texts/remove-text.ts';
import { invalidateSummaries } from '../messages/invalidate-summaries.ts';
import { applyReparenting } from '../messages/apply-reparenting.ts';
import { nextChange } from '../convos/changes.ts';
import { changeMany, touchMessages } from '../convos/rows.ts';
import { PROMPTS, SKILLS } from '../texts/texts.ts';

const BACK = { deletedAt: null, deletionId: null };

const WHAT = {
  convos: 'convo',
  message: 'message',
  branch: 'message',
  assistant: 'assistant',
  prompt: 'prompt',
  skill: 'skill',
} as const;

/** Stands in `convos`. */
export const trashRouter = router({
  /** The entries of the trash, newest first. */
  trash: protectedProcedure.input(TrashPage).query(({ ctx, input }) => listDeletions(ctx.deps.db, ctx.user.id, input)),

  /** After how many days without a new message chats go to the trash by themselves. */
  retention: protectedProcedure.query(async ({ ctx }) => {
    const { chatsDays } = await RETENTION.current(ctx.deps);
    return { chatsDays };
  }),

  /** Undoes one deletion. */
  restore: protectedProcedure
    .input(DeletionRef)
    .mutation(({ ctx, input }) => restoreDeletion(ctx.deps.db, ctx.user.id, input.deletionId)),
});

/**
 * Restores exactly what one deletion took: messages deleted before their conversation was stay deleted when it is
 * restored. Messages of a conversation that is itself in the trash are `not_found` until it is restored.
 * @throws Refusal `not_found`, and `conflict` when there are too many prompts or skills
 */
async function restoreDeletion(db: Db, userId: string, deletionId: string): Promise<Restored> {
  return db.query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    const [deletion] = await tx
      .delete(deletions)
      .where(and(eq(deletions.userId, userId), eq(deletions.id, deletionId)))
      .returning();
    if (!deletion) return refuse({ type: 'not_found', what: 'convo' });
    const { ids, count } = await bringBack(tx, deletion, changeSeq);
    if (count === 0) refuse({ type: 'not_found', what: WHAT[deletion.kind] });
    return { kind: deletion.kind, conversationIds: ids.slice(0, MANY_MAX), count };
  });
}

async function bringBack(tx: Tx, deletion: DeletionRow, changeSeq: number): Promise<{ ids: string[]; count: number }> {
  const { userId, id: deletionId, kind } = deletion;
  switch (kind) {
    case 'convos':
      return restoreConvos(tx, deletion);
    case 'message':
    case 'branch':
      return restoreMessages(tx, deletion);
    case 'assistant':
      return { ids: [], count: await restoreAssistant(tx, userId, { deletionId, changeSeq }) };
    case 'prompt':
      return { ids: [], count: await restoreText(tx, PROMPTS, userId, deletionId) };
    case 'skill':
      return { ids: [], count: await restoreText(tx, SKILLS, userId, deletionId) };
    default:
      return kind satisfies never;
  }
}

async function restoreConvos(tx: Tx, { userId, id }: DeletionRow): Promise<{ ids: string[]; count: number }> {
  const rows = await changeMany(tx, userId, eq(convos.deletionId, id), { ...BACK, arrivedAt: sql`now()` });
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
  const convoKey = { userId, convoId: convo.id };
  for (const { seq } of rows.toSorted((a, b) => a.seq - b.seq).slice(0, 1))
    await invalidateSummaries(tx, { ...convoKey, seq });
  await applyReparenting(tx, convoKey);
  return { ids: [convo.id], count: rows.length };
}
