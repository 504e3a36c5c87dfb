// How many messages a user may store. Asks do not count them: people cannot write so many.
import type { Query } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import { eq } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';

/** How many more messages a user may store; those in the bin count. Reads no more rows than `max`. */
export async function roomForMessages(query: Query, userId: string, max: number): Promise<number> {
  return (
    max -
    (await query.$count(
      query.select({ id: messages.id }).from(messages).where(eq(messages.userId, userId)).limit(max).as('stored'),
    ))
  );
}

/** @throws Refusal `invalid_input`, with a sentence, when `more` messages would be too many */
export async function assertRoomForMessages(query: Query, userId: string, max: number, more: number): Promise<void> {
  if (more <= (await roomForMessages(query, userId, max))) return;
  const text = `You may store ${max.toLocaleString('en-US')} messages here, and this would be more. Please delete conversations, also from the bin.`;
  refuse({ type: 'invalid_input', text });
}
