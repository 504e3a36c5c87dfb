import type { Tx } from '@parley/db/client';
import { sql } from 'drizzle-orm';
import { derivedId } from '../derived-id.ts';

/**
 * Copies a branch, given as ids from its root on, into an empty conversation. The ids of the copies follow from it and
 * from what they were copied from; their order is the branch's. No run has filled them, so none is named.
 */
export async function copyMessages(tx: Tx, userId: string, branch: readonly string[], convoId: string): Promise<void> {
  const copies = branch.map((id) => derivedId(userId, convoId, id, 'copy'));
  await tx.execute(sql`
    insert into messages (
      user_id, id, convo_id, parent_id, depth, is_created_by_user, sender, endpoint, endpoint_type, model, parts,
      finish_reason, reason, unfinished, is_edited, token_count, usage, context, summary,
      summary_tokens, created_at, updated_at
    )
    select
      m.user_id, copy.id, ${convoId}, copy.parent_id, copy.place - 1, m.is_created_by_user, m.sender, m.endpoint,
      m.endpoint_type, m.model, m.parts, m.finish_reason, m.reason, m.unfinished, m.is_edited, m.token_count, m.usage,
      m.context, m.summary, m.summary_tokens, m.created_at, m.updated_at
    from unnest(
      ${sql.param(branch)}::uuid[],
      ${sql.param(copies)}::uuid[],
      ${sql.param([null, ...copies.slice(0, -1)])}::uuid[]
    ) with ordinality as copy (original, id, parent_id, place)
    join messages m on m.user_id = ${userId} and m.id = copy.original
    order by copy.place`);
}
