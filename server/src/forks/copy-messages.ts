// Tests of this room: tests/integration/convos/fork.test.ts.
import type { Tx } from '@parley/db/client';
import { sql } from 'drizzle-orm';
import { derivedId } from '../platform/derived-id.ts';
import { refuse } from '../platform/errors.ts';
import { createSlices } from '../platform/event-loop.ts';
import { lockWordsForCopy } from '../search/word-locks.ts';

/** Ids derived before other work may run. */
const IDS_AT_ONCE = 500;

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
export async function copyMessages(tx: Tx, userId: string, { branch, from, to }: Copy): Promise<void> {
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
