// Guards: a message that a run is writing or answering must not change.
import type { Tx } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { and, eq, isNull } from 'drizzle-orm';
import type { ConvoRow } from '../convos/present.ts';
import { refuse } from '../platform/errors.ts';

type Convo = Pick<ConvoRow, 'userId' | 'id' | 'running' | 'runsLeft'>;

/** Refuses with `concurrent` while one of these messages is being written. */
export async function assertNotGenerating(tx: Tx, convo: Convo, ids: ReadonlySet<string | null>): Promise<void> {
  const runs = await findRunning(tx, convo);
  if (runs.some(({ replyId }) => ids.has(replyId))) refuse({ type: 'concurrent', limit: 1 });
}

/** Refuses with `concurrent` while one of these messages is being written or answered. */
export async function assertNotReferenced(tx: Tx, convo: Convo, ids: ReadonlySet<string | null>): Promise<void> {
  const runs = await findRunning(tx, convo);
  const isInUse = runs.some(({ requestId, replyId }) => ids.has(replyId) || ids.has(requestId));
  if (isInUse) refuse({ type: 'concurrent', limit: 1 });
}

async function findRunning(tx: Tx, { userId, id, running, runsLeft }: Convo) {
  if (running === null) return [];
  const one = eq(generations.id, running);
  const all = and(eq(generations.convoId, id), isNull(generations.endedAt));
  return tx
    .select({ requestId: generations.requestId, replyId: generations.replyId })
    .from(generations)
    .where(and(runsLeft > 0 ? all : one, eq(generations.userId, userId)));
}
