import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { and, eq, sql } from 'drizzle-orm';
import { withDeadline } from '../deadline.ts';
import type { Deps } from '../deps.ts';
import { refuse } from '../errors.ts';
import { readConvo } from './convos.ts';
import { mine } from './rows.ts';

/** How long a client that asks for a title is kept waiting (C.4 of the REST facts). */
const PATIENCE_MS = 2500;
/** For so long a title can be fetched after it was given (C.4 of the REST facts). */
const FRESH_SECONDS = 120;

/** The title that a conversation was just given, once, waiting a little for one that is on its way. */
export async function waitForTitle(
  { db, notices }: Deps,
  userId: string,
  conversationId: string,
  signal?: AbortSignal,
): Promise<{ title: string }> {
  const ended = withDeadline(PATIENCE_MS, signal);
  const bell = notices.bell(`change:${userId}`);
  try {
    // Looked at before it is taken: one that is given in between is not mistaken for an old one.
    while ((await readConvo(db, userId, conversationId)).title === null && !ended.aborted) await bell.next(ended);
    return (await takeTitle(db, userId, conversationId)) ?? refuse({ type: 'not_found', what: 'convo' });
  } finally {
    bell.end();
  }
}

/** One statement, so that two who ask at the same time do not both have it. */
async function takeTitle(db: Db, userId: string, id: string): Promise<{ title: string } | null> {
  const isFresh = sql`${convos.titledAt} > now() - make_interval(secs => ${FRESH_SECONDS})`;
  const [row] = await db.query
    .update(convos)
    .set({ titledAt: null })
    .where(and(mine(userId), eq(convos.id, id), isFresh))
    .returning({ title: convos.title });
  return row?.title ? { title: row.title } : null;
}
