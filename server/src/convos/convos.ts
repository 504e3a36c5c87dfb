import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { cleanText } from '@parley/schema/clean-text';
import { MANY_MAX, type Convo } from '@parley/schema/convos';
import { and, count, desc, eq, isNull, sql } from 'drizzle-orm';
import { nextChange } from './changes.ts';
import { cursorOf, parseCursor } from './cursor.ts';
import { presentConvo } from './present.ts';
import { assertConvo, mine } from './rows.ts';

/** A conversation of this user; a deleted or foreign one is a missing one. */
export async function readConvo(db: Db, userId: string, id: string): Promise<Convo> {
  return presentConvo(await assertConvo(db.query, userId, id));
}

/** A page of the sidebar, or of the archive: newest first, after the row that `cursor` names. */
export async function listConvos(
  { query }: Db,
  userId: string,
  { cursor, limit, archived }: { cursor?: string | null | undefined; limit: number; archived: boolean },
): Promise<{ convos: Convo[]; nextCursor: string | null }> {
  const after = cursor ? parseCursor(cursor) : null;
  const rows = await query
    .select()
    .from(convos)
    .where(
      and(
        mine(userId),
        eq(convos.isArchived, archived),
        after ? sql`(${convos.updatedAt}, ${convos.id}) < (${after.time}::timestamptz, ${after.id}::uuid)` : undefined,
      ),
    )
    .orderBy(desc(convos.updatedAt), desc(convos.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { convos: page.map(presentConvo), nextCursor: last ? cursorOf(last.updatedAt, last.id) : null };
}

/** The ids of what stands in the sidebar, newest first, as many as are taken in one go; whether they are all. */
export async function listConvoIds(
  { query }: Db,
  userId: string,
): Promise<{ conversationIds: string[]; isAll: boolean }> {
  const rows = await query
    .select({ id: convos.id })
    .from(convos)
    .where(and(mine(userId), eq(convos.isArchived, false)))
    .orderBy(desc(convos.updatedAt), desc(convos.id))
    .limit(MANY_MAX + 1);
  return { conversationIds: rows.slice(0, MANY_MAX).map(({ id }) => id), isAll: rows.length <= MANY_MAX };
}

/** A page by number, as the REST edge counts them, with the number of all conversations; archived ones are apart. */
export async function listConvosByNumber(
  { query }: Db,
  userId: string,
  { pageNumber, pageSize }: { pageNumber: number; pageSize: number },
): Promise<{ convos: Convo[]; total: number }> {
  const listed = and(mine(userId), eq(convos.isArchived, false));
  const [all, rows] = await Promise.all([
    query.select({ total: count() }).from(convos).where(listed),
    query
      .select()
      .from(convos)
      .where(listed)
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
      .set({ title: cleanText(title), titledBy, titledAt: titledBy === 'user' ? null : sql`now()`, changeSeq })
      .where(and(mine(userId), eq(convos.id, id), titledBy === 'user' ? undefined : isNull(convos.titledBy)))
      .returning();
    return row ? presentConvo(row) : null;
  });
}
