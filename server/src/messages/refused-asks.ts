// What was asked in vain, kept where it was asked, for clients that lose what is not stored.
import type { Db } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { AskInput } from '@parley/schema/ask';
import type { Reason } from '@parley/schema/reasons';
import { and, eq, sql } from 'drizzle-orm';
import { touchMessages } from '../convos/rows.ts';
import { findGeneration } from './begun.ts';
import { openMessages, type Ask } from './open-messages.ts';

/** Refusals of the moment or of a key. Where the request itself is wrong, or its user is shut out, nothing is kept. */
const KEPT: ReadonlySet<Reason['type']> = new Set([
  'concurrent',
  'message_limit',
  'token_balance',
  'moderation',
  'no_user_key',
  'invalid_user_key',
  'expired_user_key',
  'no_base_url',
  'forbidden_base_url',
]);

/**
 * Whether a refused ask is kept: it has a place in a conversation only below a message that is there, and an answer that
 * was to go on stays as it is (B.5 of the REST facts).
 */
export function isKept({ target }: Pick<AskInput, 'target'>, reason: Reason): boolean {
  const hasParent = target.kind === 'send' ? target.parentMessageId !== null : target.kind !== 'continue';
  return hasParent && KEPT.has(reason.type);
}

/**
 * Writes the question, unless it is there, and a reply that failed for `reason`. Their ids are those of the ask: the
 * same again is kept once, and taken up when it is not refused any more.
 * @throws Refusal `not_found` or `conflict`: then nothing is written
 */
export async function keepRefused(db: Db, ask: Ask, reason: Reason): Promise<void> {
  const { userId, input } = ask;
  await db.query.transaction(async (tx) => {
    await touchMessages(tx, userId, input.conversationId);
    // Another process may have begun it meanwhile.
    if (await findGeneration(tx, input.generationId)) return;
    const { reply } = await openMessages(tx, ask);
    await tx
      .update(messages)
      .set({ unfinished: false, finishReason: 'incomplete', reason, updatedAt: sql`now()` })
      .where(and(eq(messages.userId, userId), eq(messages.id, reply.id)));
  });
}
