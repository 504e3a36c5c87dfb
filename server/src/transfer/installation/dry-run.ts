// What saving conversations would come to.
import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import { Id } from '@parley/schema/ids';
import type { ImportItem } from '@parley/schema/transfer/results';
import { and, eq, sql } from 'drizzle-orm';
import { derivedId } from '../../platform/derived-id.ts';
import type { Prepared } from '../prepare.ts';

/** As `saveConvos` of conversations that keep their ids would tell it; writes nothing. */
export async function foreseeOutcomes(db: Db, userId: string, items: readonly Prepared[]): Promise<ImportItem[]> {
  const ids = items.map(({ convo }) => idHere(userId, convo.id, convo.id));
  const isOne = (column: typeof convos.id | typeof messages.convoId) => sql`${column} = any(${sql.param(ids)}::uuid[])`;
  const [rows, said] = await Promise.all([
    db.query
      .select({ id: convos.id, isDeleted: sql<boolean>`${convos.deletedAt} is not null` })
      .from(convos)
      .where(and(eq(convos.userId, userId), isOne(convos.id))),
    db.query
      .select({ id: messages.id })
      .from(messages)
      .where(and(eq(messages.userId, userId), isOne(messages.convoId))),
  ]);
  const known = new Map(rows.map(({ id, isDeleted }) => [id, isDeleted]));
  const present = new Set(said.map(({ id }) => id));
  return items.map(({ index, convo, messages: own, dropped }, at) => {
    const conversationId = ids[at] ?? '';
    const { title } = convo;
    if (known.get(conversationId)) return { index, title, outcome: 'skipped', reason: 'in_bin' };
    const missing = own.filter(({ message }) => !present.has(idHere(userId, message.id, convo.id, message.id)));
    if (!known.has(conversationId))
      return { index, title, outcome: 'imported', conversationId, messages: own.length, dropped };
    if (missing.length === 0) return { index, title, outcome: 'present', conversationId };
    return { index, title, outcome: 'extended', conversationId, messages: missing.length, dropped };
  });
}

function idHere(userId: string, own: string, ...from: string[]): string {
  return Id.safeParse(own).data ?? derivedId('import', userId, ...from);
}
