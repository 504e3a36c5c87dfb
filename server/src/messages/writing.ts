// What is being written in a conversation is not changed by anyone else meanwhile.
import type { Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { and, eq } from 'drizzle-orm';
import type { ConvoRow } from '../convos/present.ts';
import { refuse } from '../errors.ts';

type Convo = Pick<ConvoRow, 'userId' | 'running'>;

/** Refuses with `concurrent` while one of these messages is being written. */
export async function assertNotWritten(tx: Tx, convo: Convo, ids: ReadonlySet<string>): Promise<void> {
  const writing = await findWriting(tx, convo);
  if (writing && ids.has(writing.replyId)) refuse({ type: 'concurrent', limit: 1 });
}

/** Refuses with `concurrent` while one of these messages is being written or answered. */
export async function assertNotInUse(tx: Tx, convo: Convo, ids: ReadonlySet<string>): Promise<void> {
  const writing = await findWriting(tx, convo);
  if (writing && (ids.has(writing.replyId) || ids.has(writing.requestId))) refuse({ type: 'concurrent', limit: 1 });
}

async function findWriting(tx: Tx, { userId, running }: Convo) {
  if (running === null) return null;
  const [row] = await tx
    .select({ requestId: generations.requestId, replyId: generations.replyId })
    .from(generations)
    .where(and(eq(generations.id, running), eq(generations.userId, userId)));
  return row ?? null;
}
