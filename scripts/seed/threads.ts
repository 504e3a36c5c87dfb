// Inserts conversations of any length directly into the database.
import { randomUUID } from 'node:crypto';
import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import { sql } from 'drizzle-orm';

const CHAT = { endpoint: 'openAI', endpointType: 'openAI', model: 'gpt-4' } as const;
const BATCH = 1000;

/**
 * A conversation of `count` messages, alternating questions and answers; each is a child of the previous one unless
 * given otherwise.
 */
export async function insertThread(
  { query }: Pick<Db, 'query'>,
  userId: string,
  count: number,
  textAt: (n: number) => string = (n) => `Message ${n}`,
  parentAt: (n: number) => number | null = (n) => (n === 0 ? null : n - 1),
): Promise<{ conversationId: string; ids: string[] }> {
  const conversationId = randomUUID();
  const ids = Array.from({ length: count }, () => randomUUID());
  const rows = ids.map((id, n) => ({
    userId,
    convoId: conversationId,
    id,
    ...CHAT,
    parentId: ids[parentAt(n) ?? -1] ?? null,
    depth: n,
    isCreatedByUser: n % 2 === 0,
    sender: n % 2 === 0 ? 'User' : 'GPT-4',
    parts: [{ type: 'text' as const, text: textAt(n) }],
    finishReason: n % 2 === 0 ? null : ('stop' as const),
  }));
  await query.transaction(async (tx) => {
    // Without triggers: indexing tens of thousands of messages for search would take most of a test's time.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.insert(convos).values({ userId, id: conversationId, ...CHAT, title: 'A long talk', changeSeq: 0 });
    for (let n = 0; n < count; n += BATCH) await tx.insert(messages).values(rows.slice(n, n + BATCH));
  });
  return { conversationId, ids };
}
