// Tests of this room: tests/integration/queue.

// Questions that wait for the end of a reply. Open pages send them, or a server (`send-due.ts`): under ids that follow
// from the question's, so that it is asked once.
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { queuedAsks } from '@parley/db/tables/drafts';
import { messages } from '@parley/db/tables/messages';
import { ALL_QUEUED_MAX, QUEUED_MAX, type AnswererOnce, type QueuedAsk } from '@parley/schema/chat/queue';
import type { AddQueued, QueuedTarget } from '@parley/schema/chat/queue-inputs';
import type { Counts } from '@parley/schema/transfer/results';
import { and, asc, count, eq, inArray, sql } from 'drizzle-orm';
import { nextHint } from '../convos/changes.ts';
import { ownedBy } from '../convos/rows.ts';
import { Refusal, refuse } from '../platform/errors.ts';

/** All that wait, in the order of asking. */
export async function listQueued({ query }: Db, userId: string): Promise<QueuedAsk[]> {
  const rows = await query
    .select()
    .from(queuedAsks)
    .where(eq(queuedAsks.userId, userId))
    .orderBy(asc(queuedAsks.position), asc(queuedAsks.id));
  return rows.map(({ id, convoId, text, files, target }) => ({
    id,
    conversationId: convoId,
    text,
    files,
    ...(target?.keeps && { once: onceOf(target) }),
  }));
}

function onceOf({ endpoint, model = null, settings, name = model ?? endpoint }: QueuedTarget): AnswererOnce {
  return { endpoint, model, settings, name };
}

/**
 * Adds a question at the end. The same id again changes nothing.
 * @throws Refusal `not_found` for a conversation that is not the user's, `invalid_input` when too many wait
 */
export async function addQueued({ query }: Db, userId: string, input: AddQueued): Promise<void> {
  const { id, conversationId, text, files, target } = input;
  await query.transaction(async (tx) => {
    await nextHint(tx, userId, 'queue');
    await assertOpen(tx, userId, conversationId);
    const position = sql<number>`(select coalesce(max(position), 0) + 1 from queued_asks where user_id = ${userId})`;
    await tx
      .insert(queuedAsks)
      .values({ userId, id, convoId: conversationId, text, files, target, position })
      .onConflictDoNothing();
    await assertFew(tx, userId, conversationId);
  });
}

/**
 * Adds a question of an export, which no server sends by itself. One that waits or was asked already, by one of `ids`,
 * is `present`; above the limits it is `skipped`.
 */
export async function restoreQueued(
  { query }: Db,
  ids: readonly string[],
  row: typeof queuedAsks.$inferInsert,
): Promise<keyof Counts> {
  const { userId } = row;
  try {
    return await query.transaction(async (tx) => {
      await nextHint(tx, userId, 'queue');
      const waits = await tx.$count(queuedAsks, and(eq(queuedAsks.userId, userId), inArray(queuedAsks.id, [...ids])));
      const asked = await tx.$count(messages, and(eq(messages.userId, userId), inArray(messages.id, [...ids])));
      if (waits + asked > 0) return 'present';
      await tx.insert(queuedAsks).values({ ...row, heldUntil: 'infinity' });
      await assertFew(tx, userId, row.convoId);
      return 'imported';
    });
  } catch (error) {
    if (error instanceof Refusal) return 'skipped';
    throw error;
  }
}

/** @throws Refusal `not_found` when it does not wait any more */
export async function editQueued({ query }: Db, userId: string, id: string, text: string): Promise<void> {
  await query.transaction(async (tx) => {
    await nextHint(tx, userId, 'queue');
    const edited = await tx
      .update(queuedAsks)
      .set({ text })
      .where(and(eq(queuedAsks.userId, userId), eq(queuedAsks.id, id)))
      .returning({ id: queuedAsks.id });
    if (edited.length === 0) refuse({ type: 'not_found', what: 'message' });
  });
}

/** Has the servers wait with the questions of a conversation, or no longer. */
export async function holdQueued({ query }: Db, userId: string, convoId: string, isHeld: boolean): Promise<void> {
  await query
    .update(queuedAsks)
    .set({ heldUntil: isHeld ? 'infinity' : null })
    .where(and(eq(queuedAsks.userId, userId), eq(queuedAsks.convoId, convoId)));
}

/** Takes a question out that was sent or is not wanted. Nothing happens when it is gone. */
export async function removeQueued({ query }: Db, userId: string, id: string): Promise<void> {
  await query.transaction(async (tx) => {
    await nextHint(tx, userId, 'queue');
    await tx.delete(queuedAsks).where(and(eq(queuedAsks.userId, userId), eq(queuedAsks.id, id)));
  });
}

async function assertOpen(tx: Tx, userId: string, id: string): Promise<void> {
  const [convo] = await tx
    .select({ id: convos.id })
    .from(convos)
    .where(and(ownedBy(userId), eq(convos.id, id)));
  if (!convo) refuse({ type: 'not_found', what: 'convo' });
}

async function assertFew(tx: Tx, userId: string, convoId: string): Promise<void> {
  const [counted] = await tx
    .select({ all: count(), here: sql<number>`count(*) filter (where ${queuedAsks.convoId} = ${convoId})::int` })
    .from(queuedAsks)
    .where(eq(queuedAsks.userId, userId));
  if (!counted) return;
  if (counted.here > QUEUED_MAX) refuse({ type: 'invalid_input', text: tooMany(QUEUED_MAX) });
  if (counted.all > ALL_QUEUED_MAX) refuse({ type: 'invalid_input', text: tooMany(ALL_QUEUED_MAX) });
}

function tooMany(max: number): string {
  return `At most ${max} questions can wait`;
}
