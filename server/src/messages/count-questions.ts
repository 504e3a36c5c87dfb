// Counts the tokens of questions, on demand and once per question.
import type { Db } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import { messageText } from '@parley/schema/messages/messages';
import { and, asc, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { assertConvo, messagesIn } from '../convos/rows.ts';
import { countTokens } from '../catalog/count-tokens.ts';

/** Questions counted by one call: about half a second of work, which yields to other work. */
const PAGE_QUESTIONS = 200;
/** A call starts no further question after this many characters. */
const TEXT_AT_ONCE = 200_000;

/**
 * Counts the tokens of the oldest uncounted questions of a conversation, or of one of them. A long thread takes several
 * calls. Returns how many were counted.
 * @throws Refusal `not_found` for a conversation that is not this user's
 */
export async function countQuestions(
  db: Db,
  userId: string,
  convoKey: { conversationId: string; messageId?: string | undefined },
): Promise<number> {
  await assertConvo(db.query, userId, convoKey.conversationId);
  return countSome(db, userId, convoKey);
}

async function countSome(
  { query }: Db,
  userId: string,
  { conversationId, messageId }: { conversationId: string; messageId?: string | undefined },
): Promise<number> {
  const rows = await query
    .select({ id: messages.id, parts: messages.parts })
    .from(messages)
    .where(
      and(
        messagesIn(userId, conversationId),
        messageId === undefined ? undefined : eq(messages.id, messageId),
        messages.isCreatedByUser,
        isNull(messages.tokenCount),
      ),
    )
    .orderBy(asc(messages.seq))
    .limit(PAGE_QUESTIONS);
  if (rows.length === 0) return 0;
  const counts: number[] = [];
  let length = 0;
  for (const row of rows) {
    if (length > TEXT_AT_ONCE) break;
    const text = messageText(row);
    length += text.length;
    counts.push(await countTokens(text));
  }
  const counted = rows.slice(0, counts.length);
  await query.execute(
    settingTokenCounts(
      userId,
      counted.map(({ id }) => id),
      counts,
    ),
  );
  return counts.length;
}

/** Sets the counts of messages that have none: a concurrent edit has counted its own text. */
export function settingTokenCounts(userId: string, ids: readonly string[], counts: readonly number[]): SQL {
  const keys = sql`${sql.param(ids)}::uuid[]`;
  // The keys stand here twice: a planner without statistics would compare each message of the user with each count.
  return sql`
    update messages m set token_count = counted.tokens
    from unnest(${keys}, ${sql.param(counts)}::int[]) as counted (id, tokens)
    where m.user_id = ${userId} and m.id = any(${keys}) and m.id = counted.id and m.token_count is null`;
}
