// Deletes old entries of the trash permanently, a batch at a time.
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { deletions } from '@parley/db/tables/deletions';
import { drafts, queuedAsks } from '@parley/db/tables/drafts';
import { messages } from '@parley/db/tables/messages';
import { users } from '@parley/db/tables/users';
import { withUserLock } from '@parley/db/user-rows';
import { TRASH_DAYS } from '@parley/schema/convos/deletions';
import { and, count, desc, eq, gt, inArray, lt, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { purgeAssistant } from '../assistants/remove-assistant.ts';
import { applyReparenting, listTreeRows, type ConvoKey } from '../messages/apply-reparenting.ts';
import { purgeSkill } from '../skills/save-skill.ts';
import { purgeText } from '../texts/remove-text.ts';
import { stopAll } from '../convos/remove.ts';
import { isAmong } from '../convos/rows.ts';
import { PROMPTS } from '../texts/texts.ts';

/** Conversations purged per transaction; each may have thousands of messages. */
const CONVOS_AT_ONCE = 20;
/** Emptied drafts of a user: their rows tell other browsers, and keys may be made up. */
const EMPTIED_MAX = 500;
/** No answer goes on for as long. */
const STOPPING_HOURS = 1;

/** Purges entries past their retention. Safe to call from many processes at once. */
export async function sweepTrash(db: Db): Promise<void> {
  for (const userId of await listUsers(db)) {
    while (await sweepConvos(db, userId));
    await sweepDrafts(db, userId);
    while (await sweepDeletion(db, userId));
  }
}

/** The users with expired trash entries. */
async function listUsers({ query }: Db): Promise<string[]> {
  const old = await Promise.all([
    query.selectDistinct({ id: convos.userId }).from(convos).where(isOver(convos.deletedAt)),
    query.selectDistinct({ id: deletions.userId }).from(deletions).where(isOver(deletions.createdAt)),
    query
      .selectDistinct({ id: drafts.userId })
      .from(drafts)
      .where(and(isEmpty(), isOver(drafts.editedAt))),
    query
      .select({ id: drafts.userId })
      .from(drafts)
      .where(isEmpty())
      .groupBy(drafts.userId)
      .having(gt(count(), EMPTIED_MAX)),
  ]);
  return [...new Set(old.flat().map(({ id }) => id))];
}

/**
 * Purges temporary conversations that have ended; there is no trash for them. One still being written is asked to
 * stop, and purged when it has, or when nobody can be writing it any more. Safe to call from many processes at once.
 */
export async function sweepTemporary({ query }: Db): Promise<void> {
  const ended = lt(convos.temporaryUntil, sql`now()`);
  const owners = await query.selectDistinct({ id: convos.userId }).from(convos).where(ended);
  for (const { id: userId } of owners) {
    await withUserLock(query, userId, async (tx) => {
      const rows = await tx
        .select({
          id: convos.id,
          running: convos.running,
          isOld: sql<boolean>`${convos.temporaryUntil} < now() - make_interval(hours => ${STOPPING_HOURS})`,
        })
        .from(convos)
        .where(and(eq(convos.userId, userId), ended))
        .limit(CONVOS_AT_ONCE);
      await stopAll(tx, userId, rows);
      const ids = rows.filter(({ running, isOld }) => running === null || isOld).map(({ id }) => id);
      await forget(tx, userId, await purgeConvos(tx, userId, ids));
    });
  }
}

async function sweepConvos({ query }: Db, userId: string): Promise<boolean> {
  return withUserLock(query, userId, async (tx) => {
    const old = await tx
      .select({ id: convos.id, changeSeq: convos.changeSeq })
      .from(convos)
      .where(and(eq(convos.userId, userId), isOver(convos.deletedAt)))
      .limit(CONVOS_AT_ONCE);
    const ids = old.map(({ id }) => id);
    if (ids.length === 0) return false;
    await forget(tx, userId, [...old, ...(await purgeConvos(tx, userId, ids))]);
    return true;
  });
}

/** Deletes conversations with all that belongs to them, and returns their drafts. */
async function purgeConvos(tx: Tx, userId: string, ids: readonly string[]): Promise<{ changeSeq: number }[]> {
  await tx.delete(convos).where(and(eq(convos.userId, userId), isAmong(convos.id, ids)));
  await tx.delete(queuedAsks).where(and(eq(queuedAsks.userId, userId), isAmong(queuedAsks.convoId, ids)));
  const unsent = sql`${drafts.key} = any(${sql.param(ids)}::text[])`;
  return tx
    .delete(drafts)
    .where(and(eq(drafts.userId, userId), unsent))
    .returning({ changeSeq: drafts.changeSeq });
}

/** Drafts that were emptied long ago, and those beyond the newest. */
async function sweepDrafts({ query }: Db, userId: string): Promise<void> {
  await withUserLock(query, userId, async (tx) => {
    const emptied = and(eq(drafts.userId, userId), isEmpty());
    const surplus = tx
      .select({ key: drafts.key })
      .from(drafts)
      .where(emptied)
      .orderBy(desc(drafts.changeSeq))
      .offset(EMPTIED_MAX);
    const old = await tx
      .delete(drafts)
      .where(and(emptied, or(isOver(drafts.editedAt), inArray(drafts.key, surplus))))
      .returning({ changeSeq: drafts.changeSeq });
    await forget(tx, userId, old);
  });
}

async function sweepDeletion({ query }: Db, userId: string): Promise<boolean> {
  return withUserLock(query, userId, async (tx) => {
    const [old] = await tx
      .select()
      .from(deletions)
      .where(and(eq(deletions.userId, userId), isOver(deletions.createdAt)))
      .limit(1);
    if (!old) return false;
    await tx.delete(deletions).where(and(eq(deletions.userId, userId), eq(deletions.id, old.id)));
    if (old.kind === 'assistant') await purgeAssistant(tx, userId, old.id);
    else if (old.kind === 'prompt') await purgeText(tx, PROMPTS, userId, old.id);
    else if (old.kind === 'skill') await purgeSkill(tx, userId, old.id);
    else if (old.kind !== 'convos' && old.convoId) await sweepMessages(tx, { userId, convoId: old.convoId }, old.id);
    return true;
  });
}

/** Changes no visible tree: only deleted messages that a restore would put below the purged ones get new parents. */
async function sweepMessages(tx: Tx, convoKey: ConvoKey, deletionId: string): Promise<void> {
  const gone = (await listTreeRows(tx, convoKey))
    .filter((message) => message.deletionId === deletionId)
    .map(({ id }) => id);
  await applyReparenting(tx, convoKey, new Set(gone));
  await tx.delete(messages).where(and(eq(messages.userId, convoKey.userId), isAmong(messages.id, gone)));
}

/** A cursor from before these changes can no longer be resumed: its subscriber must reload everything. */
async function forget(tx: Tx, userId: string, rows: readonly { changeSeq: number }[]): Promise<void> {
  if (rows.length === 0) return;
  const newest = rows.reduce((most, { changeSeq }) => Math.max(most, changeSeq), 0);
  await tx
    .update(users)
    .set({ forgottenSeq: sql`greatest(${users.forgottenSeq}, ${newest})` })
    .where(eq(users.id, userId));
}

function isOver(time: PgColumn) {
  return lt(time, sql`now() - make_interval(days => ${TRASH_DAYS})`);
}

function isEmpty() {
  return and(eq(drafts.text, ''), sql`${drafts.files} = '[]'`);
}
