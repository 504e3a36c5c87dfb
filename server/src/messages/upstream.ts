// Providers that keep conversations themselves: where they go on from is kept with each reply, and told them again.
import type { Query, Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { EndpointType } from '@parley/schema/endpoints';
import type { CreatedEvent } from '@parley/schema/events';
import { textOf } from '@parley/schema/messages';
import type { Upstream } from '@parley/schema/upstream';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { UpstreamPlace } from '../endpoints/provider.ts';
import type { Delta } from '../generation/delta.ts';

/** The kinds whose providers do. */
const KEEPING: ReadonlySet<EndpointType> = new Set(['bingAI', 'chatGPTBrowser']);

/**
 * Where the provider of an endpoint goes on from to answer a question: after the reply that stands right above it, if
 * that is its own. Undefined when it has to hear everything anew, as for an answer that begins with somebody's words.
 */
export async function findUpstreamPlace(
  query: Query,
  userId: string,
  { request, reply }: Pick<CreatedEvent, 'request' | 'reply'>,
): Promise<UpstreamPlace | undefined> {
  const { conversationId, parentMessageId } = request;
  if (!KEEPING.has(reply.endpointType) || parentMessageId === null || textOf(reply) !== '') return undefined;
  const [parent] = await query
    .select({ upstream: messages.upstream, endpoint: messages.endpoint })
    .from(messages)
    .where(and(eq(messages.userId, userId), eq(messages.id, parentMessageId)));
  if (!parent?.upstream || parent.endpoint !== reply.endpoint) return undefined;
  const others = await query.execute<{ id: string }>(sql`
    select later.id from messages later
    join messages question on question.user_id = ${userId} and question.id = later.parent_id
    where later.user_id = ${userId} and later.convo_id = ${conversationId} and later.upstream is not null
      and question.parent_id = ${parentMessageId}
    limit 1`);
  return { ids: parent.upstream.ids, isNewest: others.length === 0 };
}

/** Hands the deltas on, and what the provider tells of its conversation to `keep`. */
export async function* keepingUpstream(
  deltas: AsyncIterable<Delta>,
  keep: (upstream: Upstream) => void,
): AsyncGenerator<Delta> {
  for await (const delta of deltas) {
    if (delta.type === 'upstream') keep(delta.upstream);
    yield delta;
  }
}

/**
 * After a message was changed or taken away, what a provider remembers of its conversation was never said: it hears
 * everything anew.
 */
export async function forgetUpstream(tx: Tx, userId: string, convoId: string): Promise<void> {
  await tx
    .update(messages)
    .set({ upstream: null })
    .where(and(eq(messages.userId, userId), eq(messages.convoId, convoId), isNotNull(messages.upstream)));
}
