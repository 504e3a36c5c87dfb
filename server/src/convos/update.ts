// Pins, archives and marks conversations; none of it moves them in their list.
import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import type { ArchiveConvos, Convo, MarkRead, UpdateConvo } from '@parley/schema/convos/convos';
import { and, desc, eq, lte, ne, sql } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';
import { nextChange } from './changes.ts';
import { presentConvo } from './present.ts';
import { changeMany, isAmong, permanentOwnedBy } from './rows.ts';

/** Limits how many pinned conversations are listed. */
const PINNED_MAX = 100;

/** Lists the pinned conversations that are not archived: those without a place newest first, then those with one. */
export async function listPinned({ query }: Db, userId: string): Promise<Convo[]> {
  const rows = await query
    .select()
    .from(convos)
    .where(and(permanentOwnedBy(userId), convos.isPinned, eq(convos.isArchived, false)))
    .orderBy(sql`${convos.pinPosition} nulls first`, desc(convos.updatedAt))
    .limit(PINNED_MAX);
  return rows.map(presentConvo);
}

/** @throws Refusal `not_found` */
export async function updateConvo(db: Db, userId: string, input: UpdateConvo): Promise<Convo> {
  const { conversationId, isPinned, isArchived, isUnread } = input;
  const row = await db.query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    const [updated] = await tx
      .update(convos)
      .set({
        changeSeq,
        ...(isPinned !== undefined && { isPinned }),
        // Pinned again it stands above the others, as a new one does.
        ...(isPinned === false && { pinPosition: null }),
        ...(isArchived !== undefined && { isArchived }),
        ...(isUnread !== undefined && { isUnread }),
      })
      .where(and(permanentOwnedBy(userId), eq(convos.id, conversationId)))
      .returning();
    return updated;
  });
  return row ? presentConvo(row) : refuse({ type: 'not_found', what: 'convo' });
}

/** Marks a conversation as read, unless its messages have changed since; writes nothing where it is read already. */
export async function markRead(db: Db, userId: string, input: MarkRead): Promise<void> {
  const { conversationId, messagesSeq } = input;
  const fits = and(
    permanentOwnedBy(userId),
    eq(convos.id, conversationId),
    convos.isUnread,
    lte(convos.messagesSeq, messagesSeq),
  );
  const [unread] = await db.query.select({ id: convos.id }).from(convos).where(fits);
  if (unread) await db.query.transaction((tx) => changeMany(tx, userId, fits, { isUnread: false }));
}

/** Archives or unarchives conversations and returns how many it changed. */
export async function archiveConvos(db: Db, userId: string, input: ArchiveConvos): Promise<{ count: number }> {
  const { conversationIds, isArchived } = input;
  const fits = and(permanentOwnedBy(userId), isAmong(convos.id, conversationIds), ne(convos.isArchived, isArchived));
  const rows = await db.query.transaction((tx) => changeMany(tx, userId, fits, { isArchived }));
  return { count: rows.length };
}
