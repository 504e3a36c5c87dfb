// Tests of this room: tests/integration/convos/fork.test.ts.
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { generations } from '@parley/db/tables/generations';
import { TITLE_MAX, type Convo, type Fork, type ForkConvo } from '@parley/schema/convos/convos';
import { and, eq, sql } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';
import { listTreeRows } from '../messages/apply-reparenting.ts';
import type { TreeRow } from '../messages/reparent.ts';
import { assertNotGenerating } from '../messages/in-progress.ts';
import { assertRoomForMessages } from '../messages/stored-messages.ts';
import { nextChange } from '../convos/changes.ts';
import { presentConvo, type ConvoRow } from '../convos/present.ts';
import { assertPermanent } from '../convos/rows.ts';
import { putMissingEntries } from '../search/put-missing.ts';
import { derivedId } from '../platform/derived-id.ts';
import { createSlices } from '../platform/event-loop.ts';
import { lockWordsForCopy } from '../search/word-locks.ts';

/** Ids derived before other work may run. */
const IDS_AT_ONCE = 500;

/**
 * Creates a conversation with copies of the branch that ends in a message, or in the newest one. Idempotent: the same
 * call again returns the first copy. A long branch takes seconds to copy, so the user's row, for which all other
 * changes of this user wait, is locked only after that.
 * @throws Refusal `not_found`, `conflict` when the id is taken, `concurrent` while the branch is being written,
 *   `invalid_input` when the user would have more than `messagesMax` messages
 */
export async function forkConvo(db: Db, userId: string, input: ForkConvo, messagesMax: number): Promise<Convo> {
  return db.query.transaction(async (tx) => {
    const known = await findFork(tx, userId, input);
    if (known) return presentConvo(known);
    const source = await assertPermanent(tx, userId, input.conversationId);
    const messages = await listTreeRows(tx, { userId, convoId: source.id });
    const messageId = input.messageId ?? newestEnd(messages);
    const branch = branchTo(messageId, messages);
    await assertNotGenerating(tx, source, new Set(branch));
    await assertRoomForMessages(tx, userId, messagesMax, branch.length);
    // Waits for the same call in another transaction.
    const isNew = await insertFork(tx, source, { ...input, messageId });
    if (!isNew)
      return presentConvo((await findFork(tx, userId, input)) ?? refuse({ type: 'not_found', what: 'convo' }));
    // Asked before the copy: what is written meanwhile may come too late for it.
    const isPartlyIndexed = source.running !== null || (await hasUnindexed(tx, source));
    await copyMessages(tx, userId, { branch, from: source.id, to: input.forkId });
    const published = await publishFork(tx, source, input.forkId);
    if (isPartlyIndexed) await putMissingEntries(tx, userId, input.forkId);
    return presentConvo(published);
  });
}

/** Whether an answer of it has ended so recently that its entries are still to be written. */
async function hasUnindexed(tx: Tx, { userId, id }: ConvoRow): Promise<boolean> {
  const ended = and(eq(generations.userId, userId), eq(generations.convoId, id), generations.isUnindexed);
  return (await tx.select({ id: generations.id }).from(generations).where(ended).limit(1)).length > 0;
}

async function findFork(tx: Tx, userId: string, input: ForkConvo): Promise<ConvoRow | null> {
  const [row] = await tx
    .select()
    .from(convos)
    .where(and(eq(convos.userId, userId), eq(convos.id, input.forkId)));
  if (!row) return null;
  const { conversationId, messageId } = row.forkedFrom ?? {};
  const isSame = conversationId === input.conversationId && (input.messageId ?? messageId) === messageId;
  if (!isSame) refuse({ type: 'conflict', text: 'This conversation id is taken' });
  return row.deletedAt === null ? row : refuse({ type: 'not_found', what: 'convo' });
}

/** The newest leaf, whose branch is shown by default. */
function newestEnd(messages: readonly TreeRow[]): string {
  const living = messages.filter(({ isDeleted }) => !isDeleted);
  const newestBelow = new Map(living.map(({ parentId, id }) => [parentId, id]));
  let end: string | undefined;
  for (let next = newestBelow.get(null); next; next = newestBelow.get(next)) end = next;
  return end ?? refuse({ type: 'not_found', what: 'message' });
}

/** The ids of a branch from its root to a message, from all messages, oldest first. */
function branchTo(id: string, messages: readonly TreeRow[]): string[] {
  const living = new Map(messages.flatMap((message) => (message.isDeleted ? [] : [[message.id, message]])));
  const branch = new Set<string>();
  let at = living.get(id);
  while (at && !branch.has(at.id)) {
    branch.add(at.id);
    at = at.parentId === null ? undefined : living.get(at.parentId);
  }
  if (branch.size === 0) refuse({ type: 'not_found', what: 'message' });
  return [...branch].toReversed();
}

/** Whether it was inserted: false when the id is taken. Others see it after `publishFork`, at the commit. */
async function insertFork(tx: Tx, source: ConvoRow, input: ForkConvo & Fork): Promise<boolean> {
  const { userId, endpoint, endpointType, model, settings } = source;
  const origin = source.origin ?? (source.arrivedAt === null ? null : 'import');
  const { conversationId, messageId, forkId } = input;
  const forkedFrom = { conversationId, messageId };
  const inserted = await tx
    .insert(convos)
    .values({ userId, id: forkId, endpoint, endpointType, model, settings, forkedFrom, origin, changeSeq: 0 })
    .onConflictDoNothing()
    .returning({ id: convos.id });
  return inserted.length > 0;
}

/** Adds the finished copy to the change feed. The title comes now because its search entry has the change's number. */
async function publishFork(tx: Tx, { userId, title, titledBy }: ConvoRow, forkId: string): Promise<ConvoRow> {
  const changeSeq = await nextChange(tx, userId);
  const [row] = await tx
    .update(convos)
    .set({
      title: title === null ? null : titleOfCopy(title),
      titledBy,
      changeSeq,
      messagesSeq: changeSeq,
      updatedAt: sql`now()`,
    })
    .where(and(eq(convos.userId, userId), eq(convos.id, forkId)))
    .returning();
  return row ?? refuse({ type: 'not_found', what: 'convo' });
}

/** "Title" becomes "Title (2)", and that "Title (3)". */
export function titleOfCopy(title: string): string {
  const [, plain = title, number = '1'] = /^(.*\S) \((\d{1,4})\)$/su.exec(title) ?? [];
  const end = ` (${Number(number) + 1})`;
  return plain.slice(0, TITLE_MAX - end.length).toWellFormed() + end;
}

interface Copy {
  /** Ids from the root on. */
  branch: readonly string[];
  /** The conversation of the branch, and an empty one. */
  from: string;
  to: string;
}

/**
 * Copies a branch into an empty conversation. The copies' ids derive from that conversation and the source ids; their
 * order is the branch's. Copies name no run, because none has written them. Their search entries are copied too, which
 * costs a fraction of what the triggers of the search index need to read each text anew. Copies use the files that
 * their originals use, except for one that is deleted at this moment.
 * @throws Refusal `concurrent` when a message of the branch is being written or was purged meanwhile
 */
async function copyMessages(tx: Tx, userId: string, { branch, from, to }: Copy): Promise<void> {
  const slices = createSlices(IDS_AT_ONCE);
  const copies: string[] = [];
  for (const id of branch) {
    copies.push(derivedId(userId, to, id, 'copy'));
    await slices.spend();
  }
  await lockWordsForCopy(tx, userId);
  await tx.execute(sql`set local parley.copies_search_entries = 'on'`);
  // One statement sees one state of the branch: a message is copied as it is before a run reopens it, or not at all.
  const [row] = await tx.execute<{ copied: number }>(sql`
    with copy as (
      select original, id, lag(id) over (order by place) as parent_id, place
      from unnest(${sql.param(branch)}::uuid[], ${sql.param(copies)}::uuid[]) with ordinality as c (original, id, place)
    ), copied as (
      insert into messages (
        user_id, id, convo_id, parent_id, depth, is_created_by_user, sender, endpoint, endpoint_type, model, parts,
        finish_reason, reason, unfinished, is_edited, token_count, usage, context, rating, summary,
        summary_tokens, created_at, updated_at
      )
      select
        m.user_id, copy.id, ${to}, copy.parent_id, copy.place - 1, m.is_created_by_user, m.sender, m.endpoint,
        m.endpoint_type, m.model, m.parts, m.finish_reason, m.reason, m.unfinished, m.is_edited, m.token_count, m.usage,
        m.context, m.rating, m.summary, m.summary_tokens, m.created_at, m.updated_at
      from copy join messages m on m.user_id = ${userId} and m.id = copy.original
      where m.generation_id is null or m.generation_id is distinct from (
        select running from convos where user_id = ${userId} and id = ${from}
      )
      order by copy.place
      returning id, seq
    ), found as (
      insert into search_entries (user_id, is_title, id, convo_id, written_at, seq, words, body, said_length)
      select e.user_id, false, copied.id, ${to}, e.written_at, copied.seq, e.words, e.body, e.said_length
      from copied join copy on copy.id = copied.id
        join search_entries e on e.user_id = ${userId} and not e.is_title and e.id = copy.original
    ), uses as (
      select u.file_id, copy.id from copy
        join file_uses u on u.user_id = ${userId} and u.kind = 'message' and u.ref = copy.original::text
    ), held as (
      select id from files where user_id = ${userId} and id in (select file_id from uses) order by id for key share
    ), used as (
      insert into file_uses (user_id, file_id, kind, ref)
      select ${userId}, uses.file_id, 'message', uses.id::text from uses join held on held.id = uses.file_id
      on conflict do nothing
    )
    select count(*)::int as copied from copied`);
  await tx.execute(sql`set local parley.copies_search_entries = 'off'`);
  if (row?.copied !== branch.length) refuse({ type: 'concurrent', limit: 1 });
}
