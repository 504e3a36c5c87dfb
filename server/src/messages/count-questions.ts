// How many tokens questions have. They are counted when somebody wants to know it, and once.
import type { Db } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import { textOf } from '@parley/schema/messages';
import { and, asc, eq, isNull } from 'drizzle-orm';
import { assertConvo } from '../convos/rows.ts';
import { countTokens } from '../endpoints/tokens.ts';

/** Questions read at a time: a long thread is not held in memory for it. */
const PAGE = 200;

/**
 * Counts the tokens of the questions of a conversation, or of one of them, that have not been counted yet.
 * @throws Refusal `not_found` for a conversation that is not this user's
 */
export async function countQuestions(
  db: Db,
  userId: string,
  place: { conversationId: string; messageId?: string | undefined },
): Promise<void> {
  await assertConvo(db.query, userId, place.conversationId);
  let counted = PAGE;
  while (counted === PAGE) counted = await countSome(db, userId, place);
}

async function countSome(
  { query, sql }: Db,
  userId: string,
  { conversationId, messageId }: { conversationId: string; messageId?: string | undefined },
): Promise<number> {
  const rows = await query
    .select({ id: messages.id, parts: messages.parts })
    .from(messages)
    .where(
      and(
        eq(messages.userId, userId),
        eq(messages.convoId, conversationId),
        messageId === undefined ? undefined : eq(messages.id, messageId),
        messages.isCreatedByUser,
        isNull(messages.tokenCount),
        isNull(messages.deletedAt),
      ),
    )
    .orderBy(asc(messages.seq))
    .limit(PAGE);
  if (rows.length === 0) return 0;
  const counts: number[] = [];
  for (const row of rows) counts.push(await countTokens(textOf(row)));
  // An edit that came between has counted its own text.
  await sql`
    update messages m set token_count = counted.tokens
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${counts}::int[]) as counted (id, tokens)
    where m.user_id = ${userId} and m.id = counted.id and m.token_count is null`;
  return rows.length;
}
