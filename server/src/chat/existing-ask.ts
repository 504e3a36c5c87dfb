// Finds what an earlier identical ask wrote, for idempotent repeats.
import type { Query } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import type { AskInput } from '@parley/schema/chat/ask';
import type { CreatedEvent } from '@parley/schema/generation/events';
import { eq } from 'drizzle-orm';
import { presentConvo } from '../convos/present.ts';
import { assertConvo } from '../convos/rows.ts';
import { presentMessage } from '../messages/present.ts';
import { assertMessage } from '../messages/thread.ts';

export type GenerationRow = typeof generations.$inferSelect;

/** The result the same ask got when it began; null when it has not begun. */
export async function findExisting(
  query: Query,
  userId: string,
  { generationId, replyId }: AskInput,
): Promise<CreatedEvent | null> {
  const generation = await findGeneration(query, generationId);
  return generation?.userId === userId && generation.replyId === replyId ? readExisting(query, generation) : null;
}

/** Any user's: run ids are unique across users. */
export async function findGeneration(query: Query, id: string): Promise<GenerationRow | undefined> {
  const [row] = await query.select().from(generations).where(eq(generations.id, id));
  return row;
}

/** @throws Refusal `not_found` when it was deleted meanwhile */
export async function readExisting(query: Query, generation: GenerationRow): Promise<CreatedEvent> {
  const { userId, convoId, requestId, replyId } = generation;
  const convoKey = { userId, convoId };
  return {
    type: 'created',
    request: presentMessage(await assertMessage(query, convoKey, requestId)),
    reply: presentMessage(await assertMessage(query, convoKey, replyId)),
    convo: presentConvo(await assertConvo(query, userId, convoId)),
  };
}
