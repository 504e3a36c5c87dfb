// What was written when an exchange began: the same ask again gets that, and nothing else is asked of it.
import type { Query } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import type { AskInput } from '@parley/schema/ask';
import type { CreatedEvent } from '@parley/schema/events';
import { and, eq } from 'drizzle-orm';
import { presentConvo } from '../convos/present.ts';
import { assertConvo } from '../convos/rows.ts';
import { presentMessage } from './present.ts';
import { assertMessage } from './thread.ts';

export type GenerationRow = typeof generations.$inferSelect;

/** Whether an ask of this user has begun. */
export async function hasBegun(query: Query, userId: string, generationId: string): Promise<boolean> {
  const [row] = await query
    .select({ id: generations.id })
    .from(generations)
    .where(and(eq(generations.id, generationId), eq(generations.userId, userId)));
  return row !== undefined;
}

/** What the same ask was told when it began; null when it has not. */
export async function findBegun(
  query: Query,
  userId: string,
  { generationId, replyId }: AskInput,
): Promise<CreatedEvent | null> {
  const generation = await findGeneration(query, generationId);
  return generation?.userId === userId && generation.replyId === replyId ? readBegun(query, generation) : null;
}

/** Whoever's it is: the ids of all runs are of one space. */
export async function findGeneration(query: Query, id: string): Promise<GenerationRow | undefined> {
  const [row] = await query.select().from(generations).where(eq(generations.id, id));
  return row;
}

/** @throws Refusal `not_found` when it was deleted meanwhile */
export async function readBegun(query: Query, generation: GenerationRow): Promise<CreatedEvent> {
  const { userId, convoId, requestId, replyId } = generation;
  const place = { userId, convoId };
  return {
    type: 'created',
    request: presentMessage(await assertMessage(query, place, requestId)),
    reply: presentMessage(await assertMessage(query, place, replyId)),
    convo: presentConvo(await assertConvo(query, userId, convoId)),
  };
}
