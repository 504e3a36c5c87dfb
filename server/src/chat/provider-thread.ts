// For providers that keep conversations themselves: stores their thread position with each reply and sends it with the
// next question.
import type { Query } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import { endpointTable, type EndpointRow } from '@parley/schema/catalog/endpoints';
import type { CreatedEvent } from '@parley/schema/generation/events';
import { messageText } from '@parley/schema/messages/messages';
import { and, eq, sql } from 'drizzle-orm';
import type { ThreadPosition } from '../providers/provider.ts';

/**
 * Finds where the provider continues to answer a question: after the reply right above it, if that reply is the
 * provider's own. Undefined when the provider needs the whole conversation, as for a reply that begins with edited
 * text.
 */
export async function findProviderThread(
  query: Query,
  userId: string,
  { request, reply }: Pick<CreatedEvent, 'request' | 'reply'>,
): Promise<ThreadPosition | undefined> {
  const { conversationId, parentMessageId } = request;
  const { keepsThread = false }: EndpointRow = endpointTable[reply.endpointType];
  if (!keepsThread || parentMessageId === null || messageText(reply) !== '') return undefined;
  const [parent] = await query
    .select({ providerThread: messages.providerThread, endpoint: messages.endpoint })
    .from(messages)
    .where(and(eq(messages.userId, userId), eq(messages.id, parentMessageId)));
  if (!parent?.providerThread || parent.endpoint !== reply.endpoint) return undefined;
  const others = await query.execute<{ id: string }>(sql`
    select later.id from messages later
    join messages question on question.user_id = ${userId} and question.id = later.parent_id
    where later.user_id = ${userId} and later.convo_id = ${conversationId} and later.upstream is not null
      and question.parent_id = ${parentMessageId}
    limit 1`);
  return { ids: parent.providerThread.ids, isNewest: others.length === 0 };
}
