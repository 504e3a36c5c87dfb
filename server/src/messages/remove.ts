import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { MessageRef } from '@parley/schema/messages/message-inputs';
import { messageText } from '@parley/schema/messages/messages';
import { and, eq, sql } from 'drizzle-orm';
import { saveDeletion } from '../convos/deletions.ts';
import { isAmong, touchMessages } from '../convos/rows.ts';
import { invalidateSummaries } from './invalidate-summaries.ts';
import type { TreeRow } from './reparent.ts';
import { applyReparenting, listTreeRows, type ConvoKey } from './apply-reparenting.ts';
import type { MessageRow } from './present.ts';
import { assertMessage } from './thread.ts';
import { assertNotReferenced } from './in-progress.ts';

/**
 * Deletes one message; its children move to its parent.
 * @throws Refusal `not_found`, or `concurrent` while it is being written or answered
 */
export async function removeMessage(db: Db, userId: string, ref: MessageRef): Promise<{ deletionId: string }> {
  return db.query.transaction(async (tx) => {
    const { place, convo, message } = await openForRemoval(tx, userId, ref);
    const ids = new Set([message.id]);
    await assertNotReferenced(tx, convo, ids);
    const deletionId = await remove(tx, place, message, 'message', ids);
    await applyReparenting(tx, place);
    return { deletionId };
  });
}

/**
 * Deletes a message and all its descendants.
 * @throws Refusal `not_found`, or `concurrent` while one of them is being written
 */
export async function pruneBranch(
  db: Db,
  userId: string,
  ref: MessageRef,
): Promise<{ deletionId: string; count: number }> {
  return db.query.transaction(async (tx) => {
    const { place, convo, message } = await openForRemoval(tx, userId, ref);
    const ids = branchOf(message.id, await listTreeRows(tx, place));
    await assertNotReferenced(tx, convo, ids);
    return { deletionId: await remove(tx, place, message, 'branch', ids), count: ids.size };
  });
}

async function openForRemoval(tx: Tx, userId: string, { conversationId, messageId }: MessageRef) {
  const convo = await touchMessages(tx, userId, conversationId);
  const convoKey = { userId, convoId: convo.id };
  return { convo, place: convoKey, message: await assertMessage(tx, convoKey, messageId) };
}

/** The ids of a message and its descendants, from all messages, oldest first: a parent is always older. */
function branchOf(id: string, messages: readonly TreeRow[]): Set<string> {
  const branch = new Set([id]);
  for (const message of messages)
    if (!message.isDeleted && message.parentId !== null && branch.has(message.parentId)) branch.add(message.id);
  return branch;
}

async function remove(
  tx: Tx,
  { userId, convoId }: ConvoKey,
  message: MessageRow,
  kind: 'message' | 'branch',
  ids: ReadonlySet<string>,
): Promise<string> {
  await invalidateSummaries(tx, message);
  const saved = { id: randomUUID(), userId, kind, convoId, label: messageText(message), count: ids.size };
  await saveDeletion(tx, saved);
  await tx
    .update(messages)
    .set({ deletedAt: sql`now()`, deletionId: saved.id })
    .where(and(eq(messages.userId, userId), isAmong(messages.id, [...ids])));
  return saved.id;
}
