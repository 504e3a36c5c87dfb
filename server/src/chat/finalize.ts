// Ends a run in one transaction, of one statement where nothing is charged: saves its reply, deletes its log, frees its
// conversation.
import { findPgCode, notifyAtCommit, repeatUndone, type Db, type Query } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import type { FinalEvent } from '@parley/schema/generation/events';
import type { Usage } from '@parley/schema/catalog/usage';
import { messageAttachments, messageToolFiles, type Message } from '@parley/schema/messages/messages';
import type { ProviderThread } from '@parley/schema/chat/provider-thread';
import { sql } from 'drizzle-orm';
import { changeTopic, parseRow, type JsonRow } from '../convos/changes.ts';
import { presentConvo, type ConvoRow } from '../convos/present.ts';
import type { WrittenConvos } from '../convos/written-convos.ts';
import { noticeKind, type AnswerEnd } from '../notices/answer-end.ts';
import type { Metrics } from '../platform/metrics.ts';
import { noteOutputUses } from '../files/note-uses.ts';
import { presentMessage, type MessageRow } from '../messages/present.ts';
import { settleReservation, type Ended, runCredits, type PricedRun } from '../billing/run-cost.ts';
import { guessUsage } from '../billing/usage.ts';

export interface RunKey {
  generationId: string;
  userId: string;
  owner: string;
  epoch: number;
}

/** Goes on with a run that this process has claimed; false where it can only be ended. */
export type GoOn = (run: RunKey & { replyId: string }) => Promise<boolean>;

export interface FinalizeOptions {
  providerThread?: ProviderThread | null;
  metrics?: Pick<Metrics, 'tokensUsed'> | null;
  writtenConvos?: WrittenConvos;
  /** Nothing is reserved for the run. Otherwise the statement that ends it may need one that charges it. */
  isFree?: boolean;
  /** What is still to be paid of its usage, where steps of it have been paid. */
  unpaid?: Usage | undefined;
  /** Its cost follows from this; without it, the cost is calculated later. */
  run?: PricedRun;
  /** Told of the end where its person wants notices. */
  onNotable?: ((end: AnswerEnd) => void) | undefined;
}

/**
 * Saves the reply and ends its generation as `finalizeOnce` does. If the database rejects the values themselves, which
 * no retry would fix, it ends as one whose provider reported nothing.
 */
export async function finalizeRun(
  db: Db,
  key: RunKey,
  reply: Message,
  used: Usage,
  options: FinalizeOptions = {},
): Promise<FinalEvent | null> {
  try {
    return await finalizeOnce(db, key, reply, used, options);
  } catch (error) {
    if (!isDataError(error)) throw error;
    return finalizeOnce(
      db,
      key,
      { ...reply, usage: null },
      { ...guessUsage(reply), input: reply.context?.tokens ?? 0 },
      options,
    );
  }
}

/** Recognizes a number out of range, a wrong type, or a violated check constraint. */
function isDataError(error: unknown): boolean {
  const code = findPgCode(error);
  return code === '23514' || code?.startsWith('22') === true;
}

/** Tells what the run has used and what that costs; null when the cost is calculated later. */
interface Spent {
  used: Usage;
  credits: number | null;
}

/**
 * Saves the reply with the usage of all its runs and the provider's thread ids, ends the generation, and charges it for
 * what it has used. Returns null and writes nothing when this owner no longer owns the run.
 */
async function finalizeOnce(
  db: Db,
  key: RunKey,
  reply: Message,
  used: Usage,
  { providerThread = null, metrics, writtenConvos, isFree = false, run, unpaid = used, onNotable }: FinalizeOptions,
): Promise<FinalEvent | null> {
  const spent: Spent = { used, credits: run ? runCredits(run, reply, used) : null };
  const mayHaveFiles = reply.parts.some(({ type }) => type !== 'text' && type !== 'reasoning');
  const hasFiles = mayHaveFiles && messageAttachments(reply).length + messageToolFiles(reply).length > 0;
  const isPlain = isFree && !hasFiles;
  const end = isPlain
    ? await repeatUndone(() => writeEnd(db.locking, key, reply, spent, providerThread))
    : await db.query.transaction(async (tx) => {
        notifyAtCommit(tx, changeTopic(key.userId));
        const written = await writeEnd(tx, key, reply, spent, providerThread);
        if (written && !isFree) await settleReservation(tx, key.userId, endedOf(written), reply, unpaid);
        if (written && hasFiles) await noteOutputUses(tx, key.userId, reply.messageId, reply.parts);
        return written;
      });
  const convo = end?.convo ? parseRow<ConvoRow>(convos, end.convo) : null;
  if (isPlain && convo) writtenConvos?.offer(convo);
  if (isPlain) db.tell(changeTopic(key.userId));
  // A reply without a question is its own request.
  const request = end?.generation.request_id === reply.messageId ? end.reply : end?.question;
  if (!end?.reply || !request || !convo) return null;
  metrics?.tokensUsed(used.input, used.output);
  tellEnd(key, reply, convo, end.notices, onNotable);
  return {
    type: 'final',
    request: presentMessage(parseRow<MessageRow>(messages, request)),
    reply: presentMessage(parseRow<MessageRow>(messages, end.reply)),
    convo: presentConvo(convo),
  };
}

/** Of several replies to one question it is the last that ends the answer. */
function tellEnd(
  { userId, generationId }: RunKey,
  reply: Message,
  { id: conversationId, title, running, temporaryUntil }: ConvoRow,
  settings: AnswerEnd['settings'] | null,
  tell: FinalizeOptions['onNotable'],
): void {
  const kind = settings && tell && noticeKind(reply);
  if (!kind || running !== null || temporaryUntil !== null) return;
  tell({ userId, generationId, conversationId, title, kind, settings });
}

interface EndRow {
  generation: JsonRow;
  reply: JsonRow | null;
  question: JsonRow | null;
  convo: JsonRow | null;
  expected: Usage | null;
  /** What the person wants to be told of it. */
  notices: AnswerEnd['settings'] | null;
  [column: string]: unknown;
}

/**
 * One statement, since every reply ends with it. It locks the user's row first, as `nextChange` does; a row changed
 * while it waited for the lock is read again, which for the question takes a lock of its own. A conversation deleted
 * meanwhile stays deleted; only its `running` mark is cleared. Of the replies to one question to several models the last
 * clears it: each counts down on the row itself, since others that end at the same moment are not seen. The search entries follow (`search/index-ended.ts`). The
 * expected usage is the value before this update, and read only where the run is charged.
 */
async function writeEnd(
  query: Pick<Query, 'execute'>,
  { generationId, userId, owner, epoch }: RunKey,
  reply: Message,
  { used, credits }: Spent,
  providerThread: ProviderThread | null,
): Promise<EndRow | null> {
  const { messageId, finishReason, unfinished, usage, isEdited } = reply;
  const [row] = await query.execute<EndRow>(sql`
    with change as (
      update users set change_seq = change_seq + 1 where id = ${userId}
      returning change_seq, settings -> 'notices' as notices, set_config('parley.copies_search_entries', 'on', true)
    ), ended as (
      update generations g set ended_at = now(), is_unindexed = true, usage = ${jsonOf(used)}::jsonb,
        credits = ${credits}::bigint, reason = ${jsonOf(reply.reason)}::jsonb
      from change
      where g.id = ${generationId} and g.owner = ${owner} and g.epoch = ${epoch} and g.ended_at is null
      returning g.*, case when g.reservation is not null
        then (select before.usage from generations before where before.id = g.id) end as expected
    ), reply as (
      update messages m set parts = ${jsonOf(reply.parts)}::jsonb, finish_reason = ${finishReason},
        reason = ${jsonOf(reply.reason)}::jsonb, unfinished = ${unfinished}, usage = ${jsonOf(usage)}::jsonb,
        context = ${jsonOf(reply.context)}::jsonb, is_edited = ${isEdited}, upstream = ${jsonOf(providerThread)}::jsonb,
        token_count = ${usage?.output ?? null}, updated_at = now()
      from ended where m.user_id = ${userId} and m.id = ${messageId}
      returning m.*
    ), convo as (
      update convos c set
        running = case when ended.group_id is not null and c.runs_left > 1 then c.running
          when ended.group_id is not null or c.running = ended.id then null else c.running end,
        runs_left = case when ended.group_id is null then c.runs_left else greatest(c.runs_left - 1, 0) end,
        upstream = ${jsonOf(providerThread?.ids ?? null)}::jsonb, change_seq = change.change_seq,
        messages_seq = change.change_seq, updated_at = now(),
        is_unread = case when ended.group_id is not null and c.runs_left > 1 then c.is_unread
          else c.temporary_until is null end
      from change, ended where c.user_id = ${userId} and c.id = ended.convo_id
      returning c.*
    ), question as (
      select m.* from messages m, ended
      where m.user_id = ${userId} and m.id = ended.request_id and m.id <> ${messageId}
      for share of m
    ), forgotten as (
      delete from generation_events e using ended where e.generation_id = ended.id
    )${countUses(userId, reply.context?.memories)}
    select to_json(ended) as generation, ended.expected, (select to_json(reply) from reply) as reply,
      (select to_json(convo) from convo) as convo,
      (select to_json(question) from question) as question, (select notices from change) as notices
    from ended`);
  return row ?? null;
}

/** Counts what the reply was shown of all that is remembered; nothing is added where that was nothing. */
function countUses(userId: string, ids: readonly string[] = []) {
  if (ids.length === 0) return sql``;
  return sql`, recalled as (
      update memories set uses = uses + 1, used_at = now() from ended
      where memories.user_id = ${userId} and memories.id = any(${sql.param(ids)}::uuid[])
    )`;
}

function endedOf({ generation, expected }: EndRow): Ended {
  return { ...parseRow<typeof generations.$inferSelect>(generations, generation), expected };
}

/** Writes a JSON column's value as the driver takes it: null is SQL's. */
function jsonOf(value: object | null): string | null {
  return value && JSON.stringify(value);
}
