import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { and, eq, sql } from 'drizzle-orm';
import { withDeadline } from '../platform/deadline.ts';
import { changeTopic } from './changes.ts';
import type { PubSub } from '../platform/pubsub.ts';
import type { Timings } from '../config/timings.ts';
import { refuse } from '../platform/errors.ts';
import { readConvo } from './convos.ts';
import { ownedBy } from './rows.ts';

/** Sets how long a new title can be fetched, in seconds (docs/rest-compat.md, Titles). */
const FRESH_SECONDS = 120;

/** Gives the new title of a conversation once; waits a little for one in progress. */
export async function waitForTitle(
  { db, pubsub, timings }: { db: Db; pubsub: PubSub; timings: Timings },
  userId: string,
  conversationId: string,
  signal?: AbortSignal,
): Promise<{ title: string }> {
  const ended = withDeadline(timings.titleWaitMs, signal);
  const changes = pubsub.subscribe(changeTopic(userId));
  try {
    // Read before it is taken: a title given in between must not look old.
    while ((await readConvo(db, userId, conversationId)).title === null && !ended.aborted) await changes.next(ended);
    return (await takeTitle(db, userId, conversationId)) ?? refuse({ type: 'not_found', what: 'title' });
  } finally {
    changes.end();
  }
}

/** One statement, so that only one of two concurrent requests gets it. */
async function takeTitle(db: Db, userId: string, id: string): Promise<{ title: string } | null> {
  const isFresh = sql`${convos.titledAt} > now() - make_interval(secs => ${FRESH_SECONDS})`;
  const [row] = await db.query
    .update(convos)
    .set({ titledAt: null })
    .where(and(ownedBy(userId), eq(convos.id, id), isFresh))
    .returning({ title: convos.title });
  return row?.title ? { title: row.title } : null;
}
