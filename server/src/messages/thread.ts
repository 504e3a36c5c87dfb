import type { Query } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { isAmong, messagesIn } from '../convos/rows.ts';
import { refuse } from '../platform/errors.ts';
import type { MessageRow } from './present.ts';

/** Messages of one statement: a few milliseconds of the event loop. */
const THREAD_PAGE = 500;

/** All messages of a conversation, oldest first. */
export async function listThread(query: Query, userId: string, convoId: string): Promise<MessageRow[]> {
  const first = await threadPage(query, { userId, convoId }, null);
  if (first.length < THREAD_PAGE) return first;
  // One snapshot for all pages: a message restored between two would miss in the first and be a parent in the second.
  return query.transaction((tx) => listInPages(tx, { userId, convoId }), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  });
}

async function listInPages(query: Query, convoKey: { userId: string; convoId: string }): Promise<MessageRow[]> {
  const rows: MessageRow[] = [];
  for (;;) {
    const page = await threadPage(query, convoKey, rows.at(-1)?.seq ?? null);
    for (const row of page) rows.push(row);
    if (page.length < THREAD_PAGE) return rows;
  }
}

async function threadPage(
  query: Query,
  { userId, convoId }: { userId: string; convoId: string },
  afterSeq: number | null,
): Promise<MessageRow[]> {
  return query
    .select()
    .from(messages)
    .where(and(messagesIn(userId, convoId), afterSeq === null ? undefined : gt(messages.seq, afterSeq)))
    .orderBy(asc(messages.seq))
    .limit(THREAD_PAGE);
}

/** A message of this user, also one in the trash. */
export async function findMessage(query: Query, userId: string, id: string): Promise<MessageRow | undefined> {
  const isIt = and(eq(messages.userId, userId), eq(messages.id, id));
  const [row] = await query.select().from(messages).where(isIt);
  return row;
}

/** A message of this conversation and this user; a foreign id is a missing one. */
export async function assertMessage(
  query: Query,
  { userId, convoId }: { userId: string; convoId: string },
  id: string,
): Promise<MessageRow> {
  const [row] = await query
    .select()
    .from(messages)
    .where(and(messagesIn(userId, convoId), eq(messages.id, id)));
  return row ?? refuse({ type: 'not_found', what: 'message' });
}

/** The `messagesSeq` of a conversation that holds this message; throws as `assertMessage` does. */
export async function assertMessagesSeq(
  query: Query,
  { userId, convoId }: { userId: string; convoId: string },
  id: string,
): Promise<number> {
  const [row] = await query
    .select({ messagesSeq: convos.messagesSeq })
    .from(messages)
    .innerJoin(convos, and(eq(convos.userId, messages.userId), eq(convos.id, messages.convoId)))
    .where(and(messagesIn(userId, convoId), eq(messages.id, id)));
  return row?.messagesSeq ?? refuse({ type: 'not_found', what: 'message' });
}

/** Messages read at a time on the way up; most conversations fit in the first page. */
const PAGE_MESSAGES = 100;

/**
 * Yields the messages from `id` up to the root, `id` first, reading only as far as the caller iterates. Skips a flagged
 * question with its refusal: no model may see it later either.
 */
export async function* walkUp(query: Query, userId: string, id: string): AsyncGenerator<MessageRow, void> {
  let next: string | null = id;
  let youngest = Infinity;
  let flagged: string | null = null;
  while (next !== null) {
    const page: MessageRow[] = await listAncestors(query, userId, next, PAGE_MESSAGES);
    for (const row of page) {
      // A parent is always older. A younger one would be a damaged row, perhaps a cycle.
      if (row.seq >= youngest) return;
      youngest = row.seq;
      if (row.reason?.type === 'moderation') flagged = row.parentId;
      else if (row.id !== flagged) yield row;
    }
    next = page.at(-1)?.parentId ?? null;
  }
}

/**
 * Up to `limit` messages from `id` up to the root, `id` first. The database walks, because threads may be very deep; it
 * walks over ids alone and fetches the rows by key. It does not check for deleted messages, which a living message
 * never has as ancestors: the check could make a planner without statistics scan an index of the whole thread.
 */
async function listAncestors(query: Query, userId: string, id: string, limit: number): Promise<MessageRow[]> {
  const path: { id: string }[] = await query.execute(sql`
    with recursive path as (
      select m.id, m.parent_id, 1 as step from messages m where m.user_id = ${userId} and m.id = ${id}
      union all
      select m.id, m.parent_id, path.step + 1 from path
      join messages m on m.user_id = ${userId} and m.id = path.parent_id
      where path.step < ${limit}
    ) select id from path order by step`);
  const ids = path.map((row) => row.id);
  if (ids.length === 0) return [];
  const rows = await query
    .select()
    .from(messages)
    .where(and(eq(messages.userId, userId), isAmong(messages.id, ids)));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((one) => byId.get(one) ?? []);
}
