// The search entries of questions, which the statement of an ask leaves out so that nobody waits for them: the statement
// that ends the run puts them in, and for an answer that takes long a transaction of their own.
import type { Db, Tx } from '@parley/db/client';
import { withUserLock } from '@parley/db/user-rows';
import { sql } from 'drizzle-orm';

/** Puts in the entry of a message unless there is one. Locks the user's row, as every write of entries does. */
export async function putMissingEntry({ query }: Pick<Db, 'query'>, userId: string, messageId: string): Promise<void> {
  await withUserLock(query, userId, async (tx) => {
    await tx.execute(sql`select search_put_missing(${userId}::uuid, ${messageId}::uuid)`);
  });
}

/** The same for a whole conversation. The transaction must hold the lock on the user's row. */
export async function putMissingEntries(tx: Tx, userId: string, convoId: string): Promise<void> {
  await tx.execute(sql`
    select search_put_missing(user_id, id) from messages where user_id = ${userId} and convo_id = ${convoId}`);
}
