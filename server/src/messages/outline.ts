// Opens a conversation for a browser: the outline of its whole tree, and the messages around where it opens.
import type { Db } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { Outline, ThreadStart } from '@parley/schema/messages/thread';
import { asc } from 'drizzle-orm';
import { assertConvo, messagesIn } from '../convos/rows.ts';
import { refuse } from '../platform/errors.ts';
import { readBodies } from './bodies.ts';

/** Limits the messages sent with the outline: more than any screen shows. */
const FIRST_BODIES_MAX = 30;
/** Limits the bytes of those messages, though at least one is sent: the user waits for them. */
const FIRST_BYTES = 400_000;

/**
 * Reads the outline of a conversation with the messages around `messageId`, or around its newest message.
 * @throws Refusal `not_found` for a conversation that is not this user's
 */
export async function openThread(
  db: Db,
  userId: string,
  { conversationId, messageId }: { conversationId: string; messageId?: string | undefined },
): Promise<ThreadStart> {
  const { outline, messagesSeq, running, runningReplies } = await readOutline(db, userId, conversationId);
  const ids = firstOf(outline, messageId);
  const bodies = ids.length === 0 ? [] : await readBodies(db, userId, conversationId, ids, running);
  return { outline, messagesSeq, bodies, runningReplies };
}

/**
 * Lists the ids of a conversation's messages, oldest first.
 * @throws Refusal `not_found` for a conversation that is not this user's
 */
export async function listMessageIds({ query }: Db, userId: string, convoId: string): Promise<string[]> {
  await assertConvo(query, userId, convoId);
  const rows = await query
    .select({ id: messages.id })
    .from(messages)
    .where(messagesIn(userId, convoId))
    .orderBy(asc(messages.seq));
  return rows.map(({ id }) => id);
}

interface Read {
  outline: Outline;
  messagesSeq: number;
  running: string | null;
  runningReplies: string[];
}

/** The columns of a thread as comma-separated lists, the cheapest form to write and to read. */
interface Row {
  messages_seq: number;
  running: string | null;
  running_replies: string | null;
  /** Null where there are no messages. */
  ids: string | null;
  parents: string;
  seqs: string;
  by_user: string;
  sizes: string;
  versions: string;
}

/**
 * One statement, so that `messagesSeq` matches the rows read. A size is the stored size of the row, perhaps compressed:
 * a better measure would have to read all texts.
 */
async function readOutline({ sql }: Db, userId: string, convoId: string): Promise<Read> {
  const [row] = await sql<Row[]>`
    select c.messages_seq, c.running, thread.*
    from convos c cross join lateral (
      select string_agg(m.id::text, ',') as ids,
        string_agg(coalesce(m.parent_id::text, ''), ',') as parents,
        string_agg(m.seq::text, ',') as seqs,
        string_agg(m.is_created_by_user::int::text, ',') as by_user,
        string_agg(m.size::text, ',') as sizes,
        string_agg(m.version::text, ',') as versions,
        string_agg(m.id::text, ',' order by m.seq) filter (where m.generation_id = c.running
          or c.runs_left > 0 and m.generation_id is not null and m.unfinished and m.finish_reason is null) as running_replies
      from (
        select id, parent_id, seq, is_created_by_user, generation_id, unfinished, finish_reason, pg_column_size(parts) as size,
          floor(extract(epoch from updated_at) * 1000) as version
        from messages where user_id = ${userId} and convo_id = ${convoId} and deleted_at is null
        order by seq
      ) m
    ) thread
    where c.user_id = ${userId} and c.id = ${convoId} and c.deleted_at is null
      and (c.temporary_until is null or c.temporary_until > now())`;
  if (!row) refuse({ type: 'not_found', what: 'convo' });
  return {
    outline: outlineOf(row),
    messagesSeq: row.messages_seq,
    running: row.running,
    runningReplies: row.running_replies?.split(',') ?? [],
  };
}

function outlineOf({ ids: list, parents, seqs, by_user, sizes, versions }: Row): Outline {
  if (list === null) return { ids: [], parents: [], seqs: [], byUser: [], sizes: [], versions: [] };
  const ids = list.split(',');
  const indexes = new Map(ids.map((id, index) => [id, index]));
  return {
    ids,
    parents: parents.split(',').map((id) => indexes.get(id) ?? -1),
    seqs: numbersOf(seqs),
    byUser: numbersOf(by_user),
    sizes: numbersOf(sizes),
    versions: numbersOf(versions),
  };
}

function numbersOf(list: string): number[] {
  return list.split(',').map(Number);
}

/**
 * The messages on the branch through `messageId` that fill the screen when it opens there: that one and what follows it
 * first.
 */
function firstOf({ ids, parents, sizes }: Outline, messageId: string | undefined): string[] {
  const wanted = messageId === undefined ? -1 : ids.indexOf(messageId);
  const branch = branchThrough(parents, wanted);
  const at = wanted < 0 ? branch.length - 1 : branch.indexOf(wanted);
  const end = Math.min(branch.length, at + FIRST_BODIES_MAX / 2);
  const from = Math.max(0, end - FIRST_BODIES_MAX);
  const { first, last } = affordable(
    branch.map((index) => sizes[index] ?? 0),
    at,
    { from, end },
  );
  const places = [...branch.slice(at, last), ...branch.slice(first, at).reverse()];
  return places.flatMap((index) => ids[index] ?? []);
}

/**
 * The indexes from the root through `wanted` to the newest message below it; to the newest of all when `wanted` is -1.
 */
function branchThrough(parents: number[], wanted: number): number[] {
  const branch: number[] = [];
  let index = newestBelow(parents, wanted);
  for (; index >= 0; index = parentOf(index, parents[index])) branch.push(index);
  return branch.reverse();
}

function newestBelow(parents: number[], wanted: number): number {
  const below = new Set([wanted]);
  let newest = wanted;
  for (const [place, parent] of parents.entries()) {
    if (!below.has(parentOf(place, parent))) continue;
    below.add(place);
    newest = place;
  }
  return newest;
}

/** A parent is always older. A younger one would be a damaged row, perhaps a cycle. */
function parentOf(index: number, parent = -1): number {
  return parent < index ? parent : -1;
}

/** Finds the range around `at`, following messages first, that fits `FIRST_BYTES`. */
function affordable(sizes: number[], at: number, { from, end }: { from: number; end: number }) {
  let first = at;
  let last = at + 1;
  let left = FIRST_BYTES - (sizes[at] ?? 0);
  const pays = (index: number) => (left -= sizes[index] ?? 0) >= 0;
  while (last < end && pays(last)) last++;
  while (first > from && pays(first - 1)) first--;
  return { first: Math.max(first, 0), last };
}
