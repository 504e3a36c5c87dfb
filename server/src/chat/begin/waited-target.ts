// Where a question goes that has waited: the page that sends it may not have seen what was sent before it elsewhere.
import type { Query } from '@parley/db/client';
import type { AskInput } from '@parley/schema/chat/ask';
import { sql } from 'drizzle-orm';

/**
 * The target below the newest reply of what was asked below the named parent while the question waited. Another branch
 * that was there before, and a question that waits only in its page, stay where they are.
 */
export async function waitedTarget(
  query: Pick<Query, 'execute'>,
  userId: string,
  { conversationId, target }: Pick<AskInput, 'conversationId' | 'target'>,
): Promise<AskInput['target']> {
  if (target.kind !== 'send' || !target.hasWaited || target.parentMessageId === null) return target;
  const [newest] = await query.execute<Record<'id', string>>(sql`
    with recursive since as (
      select m.id, m.parent_id, m.seq, m.is_created_by_user
      from queued_asks waiting join messages m on m.user_id = waiting.user_id and m.convo_id = waiting.convo_id
      where waiting.user_id = ${userId} and waiting.id = ${target.messageId} and waiting.convo_id = ${conversationId}
        and m.created_at > waiting.created_at and m.deleted_at is null
    ), below as (
      select * from since where parent_id = ${target.parentMessageId}
      union all
      select since.* from below join since on since.parent_id = below.id
    )
    select id from below where not is_created_by_user order by seq desc limit 1`);
  return newest ? { ...target, parentMessageId: newest.id } : target;
}
