// Stores imported conversations. Ids derive from the ids in the file, so importing a file again finds its rows; an id
// that this user already has is that row, so Parley's own export finds its originals.
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { Id } from '@parley/schema/ids';
import type { ImportItem } from '@parley/schema/transfer/results';
import { and, eq, sql } from 'drizzle-orm';
import { nextChange } from '../convos/changes.ts';
import { derivedId } from '../platform/derived-id.ts';
import type { Prepared } from './prepare.ts';
import { insertMessages, missingMessages, type IdPolicy } from './save-messages.ts';

/** Stores conversations in one transaction and returns the outcome of each. The change feed is notified once. */
export async function saveConvos(
  db: Db,
  userId: string,
  items: readonly Prepared[],
  ids: IdPolicy = { keepsIds: false },
): Promise<ImportItem[]> {
  return db.query.transaction(async (tx) => {
    const last = await nextChange(tx, userId, items.length);
    const saved: ImportItem[] = [];
    for (const item of items)
      saved.push(await saveConvo(tx, userId, item, ids, last - items.length + saved.length + 1));
    return saved;
  });
}

async function saveConvo(
  tx: Tx,
  userId: string,
  item: Prepared,
  ids: IdPolicy,
  changeSeq: number,
): Promise<ImportItem> {
  const { index, dropped } = item;
  const { title } = item.convo;
  const made = derivedId('import', userId, item.convo.id);
  const own = Id.safeParse(item.convo.id).data ?? made;
  const row = await findConvo(tx, userId, own, made);
  if (row?.isDeleted) return { index, title, outcome: 'skipped', reason: 'in_bin' };
  const id = row?.id ?? (ids.keepsIds ? own : made);
  const missing = await missingMessages(tx, { userId, convoId: id }, item, { ...ids, isNew: row === undefined });
  if (row && missing.length === 0) return { index, title, outcome: 'present', conversationId: id };
  if (row) await touchConvo(tx, userId, id, item, changeSeq);
  else await insertConvo(tx, userId, id, item, changeSeq);
  const messages = await insertMessages(tx, { userId, convoId: id }, missing);
  return { index, title, outcome: row ? 'extended' : 'imported', conversationId: id, messages, dropped };
}

async function findConvo(tx: Tx, userId: string, own: string, made: string) {
  const rows = await tx
    .select({ id: convos.id, isDeleted: sql<boolean>`${convos.deletedAt} is not null` })
    .from(convos)
    .where(and(eq(convos.userId, userId), sql`${convos.id} = any(${sql.param([own, made])}::uuid[])`));
  return rows.find((row) => row.id === own) ?? rows[0];
}

async function insertConvo(tx: Tx, userId: string, id: string, item: Prepared, changeSeq: number): Promise<void> {
  const { title, endpoint, endpointType, model, settings, isArchived } = item.convo;
  await tx.insert(convos).values({
    userId,
    id,
    title,
    titledBy: title === null ? null : 'user',
    endpoint,
    endpointType,
    model,
    settings,
    isArchived,
    changeSeq,
    messagesSeq: changeSeq,
    createdAt: new Date(item.createdAt).toISOString(),
    updatedAt: new Date(item.updatedAt).toISOString(),
  });
}

async function touchConvo(tx: Tx, userId: string, id: string, item: Prepared, changeSeq: number): Promise<void> {
  const updatedAt = sql`greatest(${convos.updatedAt}, ${new Date(item.updatedAt).toISOString()}::timestamptz)`;
  await tx
    .update(convos)
    .set({ changeSeq, messagesSeq: changeSeq, updatedAt })
    .where(and(eq(convos.userId, userId), eq(convos.id, id)));
}
