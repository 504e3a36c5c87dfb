import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import { cleanText } from '@parley/schema/clean-text';
import type { Convo } from '@parley/schema/convos';
import { and, count, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { refuse } from '../errors.ts';
import { nextChange } from './changes.ts';
import { presentConvo, type ConvoRow } from './present.ts';

/** A conversation of this user; a deleted or foreign one is a missing one. */
export async function readConvo(db: Db, userId: string, id: string): Promise<Convo> {
  const [row] = await db.query
    .select()
    .from(convos)
    .where(and(mine(userId), eq(convos.id, id)));
  return row ? presentConvo(row) : refuse({ type: 'not_found', what: 'convo' });
}

/** A page of the sidebar, newest first, after the row that `cursor` names; keyset, so page 9,000 is as fast as page 1. */
export async function listConvos(
  { query }: Db,
  userId: string,
  { cursor, limit }: { cursor?: string | null | undefined; limit: number },
): Promise<{ convos: Convo[]; nextCursor: string | null }> {
  const after = cursor ? parseCursor(cursor) : null;
  const rows = await query
    .select()
    .from(convos)
    .where(
      and(
        mine(userId),
        after
          ? sql`(${convos.updatedAt}, ${convos.id}) < (${after.updatedAt}::timestamptz, ${after.id}::uuid)`
          : undefined,
      ),
    )
    .orderBy(desc(convos.updatedAt), desc(convos.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return { convos: page.map(presentConvo), nextCursor: rows.length > limit ? cursorOf(page.at(-1)) : null };
}

/** A page by number, as the REST edge counts them, with the number of all conversations. */
export async function listConvosByNumber(
  { query }: Db,
  userId: string,
  { pageNumber, pageSize }: { pageNumber: number; pageSize: number },
): Promise<{ convos: Convo[]; total: number }> {
  const [all, rows] = await Promise.all([
    query.select({ total: count() }).from(convos).where(mine(userId)),
    query
      .select()
      .from(convos)
      .where(mine(userId))
      .orderBy(desc(convos.updatedAt), desc(convos.id))
      .limit(pageSize)
      .offset((pageNumber - 1) * pageSize),
  ]);
  return { convos: rows.map(presentConvo), total: all[0]?.total ?? 0 };
}

/**
 * Gives a title, which does not move the conversation in the list. A person's is never replaced by a model's, and one
 * that nobody gave (null) only stands in until there is a better one.
 */
export async function renameConvo(
  db: Db,
  userId: string,
  id: string,
  title: string,
  titledBy: 'user' | 'model' | null,
): Promise<Convo | null> {
  return db.query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    const [row] = await tx
      .update(convos)
      .set({ title: cleanText(title), titledBy, changeSeq })
      .where(and(mine(userId), eq(convos.id, id), titledBy === 'user' ? undefined : isNull(convos.titledBy)))
      .returning();
    return row ? presentConvo(row) : null;
  });
}

export interface Removed {
  convos: number;
  messages: number;
  /** Generations that were running in them. */
  running: string[];
}

/** Deletes one conversation, or all when `id` is null, in a way that one undo could bring back. */
export async function removeConvos(db: Db, userId: string, id: string | null): Promise<Removed> {
  return db.query.transaction(async (tx) => {
    const first = await nextChange(tx, userId);
    const place = sql<number>`row_number() over (order by ${convos.changeSeq}, ${convos.id})`.as('place');
    const doomed = tx
      .select({ id: convos.id, place })
      .from(convos)
      .where(and(mine(userId), id === null ? undefined : eq(convos.id, id)))
      .as('doomed');
    const deletion = { deletedAt: sql`now()`, deletionId: randomUUID() };
    // Each has a number of its own: a follower who leaves in the middle goes on after the last one it was told.
    const rows = await tx
      .update(convos)
      .set({ ...deletion, changeSeq: sql`${first} - 1 + ${doomed.place}` })
      .from(doomed)
      .where(and(eq(convos.userId, userId), eq(convos.id, doomed.id)))
      .returning({ id: convos.id, running: convos.running });
    if (rows.length > 1) await nextChange(tx, userId, rows.length - 1);
    const gone =
      rows.length === 0
        ? []
        : await tx
            .update(messages)
            .set(deletion)
            .where(
              and(
                eq(messages.userId, userId),
                isNull(messages.deletedAt),
                id === null
                  ? undefined
                  : inArray(
                      messages.convoId,
                      rows.map((row) => row.id),
                    ),
              ),
            )
            .returning({ id: messages.id });
    return { convos: rows.length, messages: gone.length, running: rows.flatMap((row) => row.running ?? []) };
  });
}

function mine(userId: string) {
  return and(eq(convos.userId, userId), isNull(convos.deletedAt));
}

const CURSOR = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00)\|([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The database's own text of the time: a JavaScript date would drop its microseconds and skip rows. */
function cursorOf(row: ConvoRow | undefined): string | null {
  return row ? `${row.updatedAt}|${row.id}` : null;
}

function parseCursor(cursor: string): { updatedAt: string; id: string } {
  const [, updatedAt, id] = CURSOR.exec(cursor) ?? [];
  const valid = updatedAt && id && !Number.isNaN(Date.parse(updatedAt));
  return valid ? { updatedAt, id } : refuse({ type: 'invalid_input', text: 'The cursor is not one of ours' });
}
