import type { Db } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { Message } from '@parley/schema/messages/messages';
import { and, asc, getTableColumns, lt, sql } from 'drizzle-orm';
import { readConvo } from '../convos/convos.ts';
import { isAmong, messagesIn } from '../convos/rows.ts';
import { presentMessage } from './present.ts';
import { withWritten } from './stored-log.ts';

/**
 * Limits the bytes of messages read in one go, though at least one is read. Clients go by the stored sizes of messages,
 * which compress.
 */
const BODIES_BYTES = 8 * 1024 * 1024;

/** Only what PostgreSQL compressed is longer than it is stored. */
const textBytes = sql`case when pg_column_compression(${messages.parts}) is null
  then pg_column_size(${messages.parts}) else octet_length(${messages.parts}::text) end`;

/**
 * Messages of a conversation by id, oldest first; missing ones are left out. So are the last of `ids` where they are too
 * many bytes together: they can be read by another call.
 * @throws Refusal `not_found` for a conversation that is not this user's
 */
export async function listBodies(db: Db, userId: string, convoId: string, ids: string[]): Promise<Message[]> {
  const { running } = await readConvo(db, userId, convoId);
  return readBodies(db, userId, convoId, ids, running);
}

/** The same for a known conversation. Where `running` is, replies have the text written so far. */
export async function readBodies(
  db: Db,
  userId: string,
  convoId: string,
  ids: string[],
  running: string | null,
): Promise<Message[]> {
  const given = sql`${sql.param(ids)}::uuid[]`;
  const bytesBefore = sql<number>`coalesce(sum(${textBytes}) over (
    order by array_position(${given}, ${messages.id}) rows between unbounded preceding and 1 preceding), 0)`;
  const sized = db.query
    .select({ ...getTableColumns(messages), bytesBefore: bytesBefore.as('bytes_before') })
    .from(messages)
    .where(and(messagesIn(userId, convoId), isAmong(messages.id, ids)))
    .as('sized');
  const rows = await db.query.select().from(sized).where(lt(sized.bytesBefore, BODIES_BYTES)).orderBy(asc(sized.seq));
  const bodies = rows.map(presentMessage);
  return running === null ? bodies : withWritten(db, running, bodies);
}
