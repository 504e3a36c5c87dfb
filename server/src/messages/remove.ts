import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { MessageRef } from '@parley/schema/message-inputs';
import { textOf } from '@parley/schema/messages';
import { and, eq, sql } from 'drizzle-orm';
import { keepDeletion } from '../convos/deletions.ts';
import { isOneOf, touchMessages } from '../convos/rows.ts';
import { forgetSummaries } from './forget-summaries.ts';
import type { Hung } from './hang.ts';
import { hangAgain, listHung, type ConvoPlace } from './hang-again.ts';
import type { MessageRow } from './present.ts';
import { assertMessage } from './thread.ts';
import { assertNotInUse } from './writing.ts';

/**
 * Deletes one message; what hung below it hangs below its parent from then on.
 * @throws Refusal `not_found`, or `concurrent` while it is being written or answered
 */
export async function removeMessage(db: Db, userId: string, ref: MessageRef): Promise<{ deletionId: string }> {
  return db.query.transaction(async (tx) => {
    const { place, convo, message } = await openForRemoval(tx, userId, ref);
    const ids = new Set([message.id]);
    await assertNotInUse(tx, convo, ids);
    const deletionId = await remove(tx, place, message, 'message', ids);
    await hangAgain(tx, place);
    return { deletionId };
  });
}

/**
 * Deletes a message and all below it.
 * @throws Refusal `not_found`, or `concurrent` while something of it is being written
 */
export async function pruneBranch(
  db: Db,
  userId: string,
  ref: MessageRef,
): Promise<{ deletionId: string; count: number }> {
  return db.query.transaction(async (tx) => {
    const { place, convo, message } = await openForRemoval(tx, userId, ref);
    const ids = branchOf(message.id, await listHung(tx, place));
    await assertNotInUse(tx, convo, ids);
    return { deletionId: await remove(tx, place, message, 'branch', ids), count: ids.size };
  });
}

async function openForRemoval(tx: Tx, userId: string, { conversationId, messageId }: MessageRef) {
  const convo = await touchMessages(tx, userId, conversationId);
  const place = { userId, convoId: convo.id };
  return { convo, place, message: await assertMessage(tx, place, messageId) };
}

/** A message and what hangs below it, from all messages, oldest first: a parent is always older. */
function branchOf(id: string, messages: readonly Hung[]): Set<string> {
  const branch = new Set([id]);
  for (const message of messages)
    if (!message.isDeleted && message.parentId !== null && branch.has(message.parentId)) branch.add(message.id);
  return branch;
}

async function remove(
  tx: Tx,
  { userId, convoId }: ConvoPlace,
  message: MessageRow,
  kind: 'message' | 'branch',
  ids: ReadonlySet<string>,
): Promise<string> {
  await forgetSummaries(tx, message);
  const kept = { id: randomUUID(), userId, kind, convoId, label: textOf(message), count: ids.size };
  await keepDeletion(tx, kept);
  await tx
    .update(messages)
    .set({ deletedAt: sql`now()`, deletionId: kept.id })
    .where(and(eq(messages.userId, userId), isOneOf(messages.id, [...ids])));
  return kept.id;
}
