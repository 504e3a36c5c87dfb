// Finds what the same asks wrote when they first arrived, for idempotent repeats.
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
 * Finds what each of them got when they began together, whether it runs or failed at once; null when none has begun. An
 * id that belongs to something else is refused like one that is no id at all: run ids are unique across users, and
 * nobody shall learn of another user's.
 * @throws Refusal `invalid_input` for such an id, `not_found` when the messages were deleted meanwhile
 */
export async function findExisting(
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
  const convoKey = { userId, convoId: known[0]?.convoId ?? '' };
  const convo = presentConvo(await assertConvo(query, userId, convoKey.convoId));
  return Promise.all(
    asks.map(async ({ replyId }) => {
      const reply = await assertMessage(query, convoKey, replyId);
      const request = reply.parentId === null ? reply : await assertMessage(query, convoKey, reply.parentId);
      return { type: 'created' as const, request: presentMessage(request), reply: presentMessage(reply), convo };
    }),
  );
}
