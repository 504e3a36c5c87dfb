// Finds what an earlier identical question to several models wrote, for idempotent repeats.
import type { Query } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import type { AskInput } from '@parley/schema/chat/ask';
import type { CreatedEvent } from '@parley/schema/generation/events';
import { INVALID_ID } from '@parley/schema/ids';
import { presentConvo } from '../../convos/present.ts';
import { assertConvo, isAmong } from '../../convos/rows.ts';
import { presentMessage } from '../../messages/present.ts';
import { assertMessage } from '../../messages/thread.ts';
import { refuse } from '../../platform/errors.ts';

/**
 * What each column got when it began, whether it runs or failed at once; null when none has begun.
 * @throws Refusal `invalid_input` where one of the ids belongs to something else
 */
export async function findExistingColumns(
  query: Query,
  userId: string,
  asks: readonly AskInput[],
): Promise<CreatedEvent[] | null> {
  const ids = asks.map(({ generationId }) => generationId);
  const known = await query.select().from(generations).where(isAmong(generations.id, ids));
  if (known.length === 0) return null;
  const replies = new Map(asks.map(({ generationId, replyId }) => [generationId, replyId]));
  const isOwn = known.every((row) => row.userId === userId && replies.get(row.id) === row.replyId);
  if (!isOwn) refuse({ type: 'invalid_input', text: INVALID_ID });
  const convoId = asks[0]?.conversationId ?? '';
  const convo = presentConvo(await assertConvo(query, userId, convoId));
  return Promise.all(
    asks.map(async ({ replyId }) => {
      const reply = await assertMessage(query, { userId, convoId }, replyId);
      const request = await assertMessage(query, { userId, convoId }, reply.parentId ?? '');
      return { type: 'created' as const, request: presentMessage(request), reply: presentMessage(reply), convo };
    }),
  );
}
