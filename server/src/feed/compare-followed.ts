// Tests of this room: tests/integration/convos/changes.test.ts, tests/integration/convos/convergence.test.ts.
import type { Db } from '@parley/db/client';
import { CHANGE, changeTopic } from '../convos/changes.ts';
import type { PubSub } from '../platform/pubsub.ts';

/**
 * Wakes the followers of the people who have changed since the last call, in one statement: the notification of a
 * process that died after its commit never arrives. Where this process is alone it asks for no counters.
 */
export function createFollowedComparison({ db, pubsub }: { db: Db; pubsub: PubSub }): () => Promise<void> {
  let counters = new Map<string, number>();
  return async () => {
    const hasOthers = await db.lookForOthers();
    const followed = pubsub.subscribed(CHANGE);
    const rows =
      hasOthers && followed.length > 0
        ? await db.sql<{ id: string; change_seq: number }[]>`
            select id, change_seq from users where id = any(${followed}::uuid[])`
        : [];
    for (const { id, change_seq: seq } of rows) if (counters.get(id) !== seq) pubsub.notifyLost(changeTopic(id));
    counters = new Map(rows.map(({ id, change_seq: seq }) => [id, seq]));
  };
}
