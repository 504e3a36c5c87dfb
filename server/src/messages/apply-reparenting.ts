// Tests of this room: tests/unit/messages, tests/integration/messages.
import type { Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import { and, asc, eq, sql } from 'drizzle-orm';
import { reparent, type TreeRow } from './reparent.ts';
import { clearProviderThreads } from './clear-provider-threads.ts';

export interface ConvoKey {
  userId: string;
  convoId: string;
}

/** Recomputes the parents of a conversation's messages after some were deleted or restored. */
export async function applyReparenting(tx: Tx, convoKey: ConvoKey, gone?: ReadonlySet<string>): Promise<void> {
  const moved = reparent(await listTreeRows(tx, convoKey), gone);
  if (moved.length === 0) return;
  await writePositions(tx, convoKey, moved);
  await clearProviderThreads(tx, convoKey.userId, convoKey.convoId);
}

/** Lists all messages of a conversation, deleted ones too, oldest first. */
export async function listTreeRows(
  tx: Tx,
  { userId, convoId }: ConvoKey,
): Promise<(TreeRow & { deletionId: string | null })[]> {
  const { id, parentId, movedFrom, depth, deletionId } = messages;
  const isDeleted = sql<boolean>`${messages.deletedAt} is not null`;
  return tx
    .select({ id, parentId, movedFrom, depth, deletionId, isDeleted })
    .from(messages)
    .where(and(eq(messages.userId, userId), eq(messages.convoId, convoId)))
    .orderBy(asc(messages.seq));
}

/** One statement, with one value for each column. */
async function writePositions(tx: Tx, { userId }: ConvoKey, moved: readonly TreeRow[]): Promise<void> {
  await tx.execute(sql`
    update messages
    set parent_id = place.parent_id, moved_from = place.moved_from, depth = place.depth,
      -- Who keeps messages by when they changed has to read anew what hangs elsewhere, but not what only sank or rose.
      updated_at = case when messages.parent_id is distinct from place.parent_id then now() else updated_at end
    from unnest(
      ${sql.param(moved.map(({ id }) => id))}::uuid[],
      ${sql.param(moved.map(({ parentId }) => parentId))}::uuid[],
      ${sql.param(moved.map(({ movedFrom }) => movedFrom))}::uuid[],
      ${sql.param(moved.map(({ depth }) => depth))}::int[]
    ) as place (id, parent_id, moved_from, depth)
    where messages.user_id = ${userId} and messages.id = place.id`);
}
