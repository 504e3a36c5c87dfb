// Guards: a message that a run is writing or answering must not change.
import type { Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { and, eq } from 'drizzle-orm';
import type { ConvoRow } from '../convos/present.ts';
import { refuse } from '../platform/errors.ts';

type Convo = Pick<ConvoRow, 'userId' | 'running'>;

/** Refuses with `concurrent` while one of these messages is being written. */
export async function assertNotGenerating(tx: Tx, convo: Convo, ids: ReadonlySet<string>): Promise<void> {
  const written = await findRunning(tx, convo);
  if (written && ids.has(written.replyId)) refuse({ type: 'concurrent', limit: 1 });
}

/** Refuses with `concurrent` while one of these messages is being written or answered. */
export async function assertNotReferenced(tx: Tx, convo: Convo, ids: ReadonlySet<string>): Promise<void> {
  const written = await findRunning(tx, convo);
  if (written && (ids.has(written.replyId) || ids.has(written.requestId))) refuse({ type: 'concurrent', limit: 1 });
}

async function findRunning(tx: Tx, { userId, running }: Convo) {
  if (running === null) return null;
  const [row] = await tx
    .select({ requestId: generations.requestId, replyId: generations.replyId })
    .from(generations)
    .where(and(eq(generations.id, running), eq(generations.userId, userId)));
  return row ?? null;
}
