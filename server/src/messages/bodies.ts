import type { Db } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { Message } from '@parley/schema/messages/messages';
import { and, asc, eq, isNull } from 'drizzle-orm';
import { readConvo } from '../convos/convos.ts';
import { isOneOf } from '../convos/rows.ts';
import { presentMessage } from './present.ts';
import { foldAll, readEntries } from './stored-log.ts';

/**
 * Messages of a conversation by id, oldest first; missing ones are left out.
 * @throws Refusal `not_found` for a conversation that is not this user's
 */
export async function listBodies(db: Db, userId: string, convoId: string, ids: string[]): Promise<Message[]> {
  const { running } = await readConvo(db, userId, convoId);
  return readBodies(db, userId, convoId, ids, running);
}

/** The same for a known conversation. The reply of `running` has the text written so far. */
export async function readBodies(
  db: Db,
  userId: string,
  convoId: string,
  ids: string[],
  running: string | null,
): Promise<Message[]> {
  const rows = await db.query
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.userId, userId),
        eq(messages.convoId, convoId),
        isOneOf(messages.id, ids),
        isNull(messages.deletedAt),
      ),
    )
    .orderBy(asc(messages.seq));
  const bodies = rows.map(presentMessage);
  if (running === null || !bodies.some(({ generationId }) => generationId === running)) return bodies;
  const entries = await readEntries(db, running, 0);
  return bodies.map((body) => (body.generationId === running ? foldAll(body, entries) : body));
}
