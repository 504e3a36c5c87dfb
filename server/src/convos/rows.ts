// Queries and updates of conversation rows, always by owner.
import type { Query, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import { and, eq, gt, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { refuse } from '../platform/errors.ts';
import { nextChange } from './changes.ts';
import type { ConvoRow } from './present.ts';

/** Matches a user's conversations that are not deleted; temporary ones until they end. */
export function ownedBy(userId: string) {
  return and(
    eq(convos.userId, userId),
    isNull(convos.deletedAt),
    or(isPermanent(), gt(convos.temporaryUntil, sql`now()`)),
  );
}

/** The same without temporary ones: what lists show, and what can be renamed, moved and copied. */
export function permanentOwnedBy(userId: string) {
  return and(eq(convos.userId, userId), isNull(convos.deletedAt), isPermanent());
}

export function isPermanent() {
  return isNull(convos.temporaryUntil);
}

/** Matches the messages of a conversation that are not deleted. */
export function messagesIn(userId: string, convoId: string) {
  return and(eq(messages.userId, userId), eq(messages.convoId, convoId), isNull(messages.deletedAt));
}

/** Matches a column against `ids` as one array value: the text of a statement must not depend on their number. */
export function isAmong(column: PgColumn, ids: readonly string[]): SQL {
  return sql`${column} = any(${sql.param(ids)}::uuid[])`;
}

/** Refuses a deleted conversation, or another user's, as missing. */
export async function assertConvo(query: Query, userId: string, id: string): Promise<ConvoRow> {
  const [row] = await query
    .select()
    .from(convos)
    .where(and(ownedBy(userId), eq(convos.id, id)));
  return row ?? refuse({ type: 'not_found', what: 'convo' });
}

/** The same for what temporary conversations are not made for. @throws Refusal `not_found` or `conflict` */
export async function assertPermanent(query: Query, userId: string, id: string): Promise<ConvoRow> {
  const row = await assertConvo(query, userId, id);
  if (row.temporaryUntil !== null) refuse({ type: 'conflict', text: 'This chat is temporary: keep it first' });
  return row;
}

/**
 * Begins a change of a conversation's messages: increments its `messagesSeq` and returns the conversation.
 * @throws Refusal `not_found`
 */
export async function touchMessages(tx: Tx, userId: string, id: string): Promise<ConvoRow> {
  const changeSeq = await nextChange(tx, userId);
  const [row] = await tx
    .update(convos)
    .set({ changeSeq, messagesSeq: changeSeq })
    .where(and(ownedBy(userId), eq(convos.id, id)))
    .returning();
  return row ?? refuse({ type: 'not_found', what: 'convo' });
}

/** The fields returned for each conversation of a bulk change. */
export type Changed = Pick<ConvoRow, 'id' | 'title' | 'running' | 'updatedAt'>;

/**
 * Updates the matching conversations. Each gets its own change number: a subscriber that disconnects in the middle
 * resumes after the last one it received.
 */
export async function changeMany(
  tx: Tx,
  userId: string,
  fits: SQL | undefined,
  values: PgUpdateSetSource<typeof convos>,
): Promise<Changed[]> {
  const first = await nextChange(tx, userId);
  const place = sql<number>`row_number() over (order by ${convos.changeSeq}, ${convos.id})`.as('place');
  const chosen = tx
    .select({ id: convos.id, place })
    .from(convos)
    .where(and(eq(convos.userId, userId), fits))
    .as('chosen');
  const rows = await tx
    .update(convos)
    .set({ ...values, changeSeq: sql`${first} - 1 + ${chosen.place}` })
    .from(chosen)
    .where(and(eq(convos.userId, userId), eq(convos.id, chosen.id)))
    .returning({ id: convos.id, title: convos.title, running: convos.running, updatedAt: convos.updatedAt });
  if (rows.length > 1) await nextChange(tx, userId, rows.length - 1);
  return rows;
}
