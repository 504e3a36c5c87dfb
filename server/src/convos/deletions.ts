// The trash: one entry for each deletion, which one restore undoes.
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { deletions } from '@parley/db/tables/deletions';
import { TRASH_DAYS, type Deletion } from '@parley/schema/convos/deletions';
import { and, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { isoTime } from '../platform/iso-time.ts';
import { convoCursor, parseCursor } from './cursor.ts';
import { isPermanent } from './rows.ts';

export type DeletionRow = typeof deletions.$inferSelect;

/** Limits a label in characters; an entry of the trash shows one line. */
const LABEL_MAX = 200;

/** Adds a trash entry for the rows marked with its id. */
export async function saveDeletion(tx: Tx, deletion: typeof deletions.$inferInsert): Promise<void> {
  const label = deletion.label.slice(0, LABEL_MAX).toWellFormed();
  await tx.insert(deletions).values({ ...deletion, label });
}

/**
 * Lists a page of the trash, newest first. Messages deleted from a conversation that is itself in the trash come with
 * that entry.
 */
export async function listDeletions(
  { query }: Db,
  userId: string,
  { cursor, limit }: { cursor?: string | null | undefined; limit: number },
): Promise<{ deletions: Deletion[]; nextCursor: string | null }> {
  const after = cursor ? parseCursor(cursor) : null;
  const living = and(
    eq(convos.userId, deletions.userId),
    eq(convos.id, deletions.convoId),
    isNull(convos.deletedAt),
    isPermanent(),
  );
  const rows = await query
    .select({ ...getTableColumns(deletions), title: convos.title })
    .from(deletions)
    .leftJoin(convos, living)
    .where(
      and(
        eq(deletions.userId, userId),
        gt(deletions.createdAt, sql`now() - make_interval(days => ${TRASH_DAYS})`),
        or(inArray(deletions.kind, ['convos', 'assistant', 'prompt', 'skill']), isNotNull(convos.id)),
        after
          ? sql`(${deletions.createdAt}, ${deletions.id}) < (${after.time}::timestamptz, ${after.id}::uuid)`
          : undefined,
      ),
    )
    .orderBy(desc(deletions.createdAt), desc(deletions.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { deletions: page.map(presentDeletion), nextCursor: last ? convoCursor(last.createdAt, last.id) : null };
}

function presentDeletion(row: DeletionRow & { title: string | null }): Deletion {
  const { id, kind, convoId, label, title, count, createdAt } = row;
  return { deletionId: id, kind, conversationId: convoId, label, title, count, deletedAt: isoTime(createdAt) };
}
