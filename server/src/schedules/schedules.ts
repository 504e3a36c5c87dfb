// Schedules of a person: kept, changed and read. `ask-due.ts` asks their questions.
import type { Db, Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import { scheduleRuns, schedules } from '@parley/db/tables/automation/schedules';
import { SCHEDULES_MAX, type Schedule, type ScheduleRun } from '@parley/schema/schedules/schedule-rules';
import type { SaveSchedule } from '@parley/schema/schedules/schedules';
import type { Counts } from '@parley/schema/transfer/results';
import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm';
import { nextHint } from '../convos/changes.ts';
import { Refusal, refuse } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';
import { deriveReplyId } from './run-ids.ts';
import { assertRule, isReadable, nextSlot } from './slots.ts';

/** Tells the servers that a schedule is on which they may not know of. */
export const SCHEDULES_TOPIC = 'schedules';

export type ScheduleRow = typeof schedules.$inferSelect;
export type RunRow = typeof scheduleRuns.$inferSelect;

/** All of a person, those that are asked next first, each with its last run. */
export async function listSchedules({ query }: Db, userId: string): Promise<Schedule[]> {
  const rows = await query
    .select()
    .from(schedules)
    .where(eq(schedules.userId, userId))
    .orderBy(sql`${schedules.nextAt} asc nulls last`, asc(sql`lower(${schedules.title})`), asc(schedules.id));
  const last = await query
    .selectDistinctOn([scheduleRuns.scheduleId])
    .from(scheduleRuns)
    .where(eq(scheduleRuns.userId, userId))
    .orderBy(scheduleRuns.scheduleId, desc(scheduleRuns.slot));
  const shown = await presentRuns(query, userId, last);
  const runs = new Map(last.map(({ scheduleId }, n) => [scheduleId, shown[n]]));
  return rows.map((row) => presentSchedule(row, runs.get(row.id) ?? null));
}

/** The newest first; none for a schedule of another. */
export async function listRuns({ query }: Db, userId: string, id: string): Promise<ScheduleRun[]> {
  const rows = await query.select().from(scheduleRuns).where(inSchedule(userId, id)).orderBy(desc(scheduleRuns.slot));
  return presentRuns(query, userId, rows);
}

/**
 * Creates a schedule, or replaces the one with this id, which is on afterwards.
 * @throws Refusal `invalid_input` for a rule that is not kept, and when there are too many
 */
export async function saveSchedule({ query }: Db, userId: string, input: SaveSchedule): Promise<void> {
  const { id, title, text, target, timeZone, folderId = null, convoId = null, files } = input;
  const rule = { cron: input.cron ?? null, at: input.at ?? null, timeZone };
  assertRule(rule, new Date());
  const nextAt = nextSlot(rule, new Date())?.toISOString() ?? null;
  const values = { title, text, target, ...rule, folderId, convoId, files, nextAt, state: 'on' as const, failures: 0 };
  await query.transaction(async (tx) => {
    const changeSeq = await nextHint(tx, userId, 'schedules');
    await tx
      .insert(schedules)
      .values({ userId, id, ...values, changeSeq })
      .onConflictDoUpdate({
        target: [schedules.userId, schedules.id],
        set: { ...values, changeSeq, version: sql`${schedules.version} + 1` },
      });
    await assertFew(tx, userId);
    await tellServers(tx);
  });
}

/**
 * Adds a schedule of an export, paused. One that is here, by one of `ids`, is `present`; above the limit, and where its
 * rule is none, it is `skipped`.
 */
export async function restoreSchedule(
  { query }: Db,
  ids: readonly string[],
  row: Omit<typeof schedules.$inferInsert, 'changeSeq'>,
): Promise<keyof Counts> {
  const { userId } = row;
  if (!isReadable(row)) return 'skipped';
  try {
    return await query.transaction(async (tx) => {
      const changeSeq = await nextHint(tx, userId, 'schedules');
      const known = await tx.$count(schedules, and(eq(schedules.userId, userId), inArray(schedules.id, [...ids])));
      if (known > 0) return 'present';
      await tx.insert(schedules).values({ ...row, state: 'paused', nextAt: null, changeSeq });
      await assertFew(tx, userId);
      return 'imported';
    });
  } catch (error) {
    if (error instanceof Refusal) return 'skipped';
    throw error;
  }
}

/** @throws Refusal `invalid_input` when there are too many */
async function assertFew(tx: Tx, userId: string): Promise<void> {
  const [counted] = await tx.select({ all: count() }).from(schedules).where(eq(schedules.userId, userId));
  if (counted && counted.all > SCHEDULES_MAX)
    refuse({ type: 'invalid_input', text: `At most ${SCHEDULES_MAX} schedules can be kept` });
}

/** @throws Refusal `not_found` */
export async function pauseSchedule({ query }: Db, userId: string, id: string): Promise<void> {
  await change(query, userId, id, () => ({ state: 'paused', nextAt: null }));
}

/** It goes on with the next time of its rule: what passed while it was paused is not asked. @throws Refusal */
export async function resumeSchedule({ query }: Db, userId: string, id: string): Promise<void> {
  await change(query, userId, id, (row) => {
    assertRule(row, new Date());
    return { state: 'on', failures: 0, nextAt: nextSlot(row, new Date())?.toISOString() ?? null };
  });
}

/** Its conversations stay. Nothing happens when it is gone. */
export async function removeSchedule({ query }: Db, userId: string, id: string): Promise<void> {
  await query.transaction(async (tx) => {
    await nextHint(tx, userId, 'schedules');
    await tx.delete(schedules).where(ofId(userId, id));
  });
}

type Change = Partial<Pick<ScheduleRow, 'state' | 'nextAt' | 'failures'>>;

async function change(query: Db['query'], userId: string, id: string, changeOf: (row: ScheduleRow) => Change) {
  await query.transaction(async (tx) => {
    const changeSeq = await nextHint(tx, userId, 'schedules');
    const [row] = await tx.select().from(schedules).where(ofId(userId, id)).for('update');
    if (!row) refuse({ type: 'not_found', what: 'schedule' });
    await tx
      .update(schedules)
      .set({ ...changeOf(row), changeSeq, version: row.version + 1 })
      .where(ofId(userId, id));
    await tellServers(tx);
  });
}

/** With the commit: a server that died after it would tell nobody. */
async function tellServers(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_notify('parley', ${SCHEDULES_TOPIC}::text)`);
}

export function ofId(userId: string, id: string) {
  return and(eq(schedules.userId, userId), eq(schedules.id, id));
}

export function inSchedule(userId: string, id: string) {
  return and(eq(scheduleRuns.userId, userId), eq(scheduleRuns.scheduleId, id));
}

function presentSchedule(row: ScheduleRow, lastRun: ScheduleRun | null): Schedule {
  const { id, title, text, files, target, folderId, convoId, cron, at, timeZone, nextAt, state, failures } = row;
  const times = { at: at && isoTime(at), nextAt: nextAt && isoTime(nextAt) };
  return { id, title, text, files, target, folderId, convoId, cron, timeZone, ...times, state, failures, lastRun };
}

/** Of one whose reply has failed, with the reason of the reply. */
async function presentRuns(query: Db['query'], userId: string, rows: readonly RunRow[]): Promise<ScheduleRun[]> {
  const ids = rows.flatMap((row) => (row.convoId === null ? [] : [deriveReplyId(row)]));
  const failed = await failuresAmong(query, userId, ids);
  return rows.map((row) => ({
    slot: isoTime(row.slot),
    state: row.state,
    convoId: row.convoId,
    reason: row.reason ?? failed.get(deriveReplyId(row)) ?? null,
  }));
}

/** The reasons of the replies among these that have failed, by their ids. */
export async function failuresAmong(query: Pick<Tx, 'select'>, userId: string, replyIds: readonly string[]) {
  if (replyIds.length === 0) return new Map<string, never>();
  const rows = await query
    .select({ id: messages.id, reason: messages.reason })
    .from(messages)
    .where(
      and(
        eq(messages.userId, userId),
        sql`${messages.id} = any(${sql.param(replyIds)}::uuid[])`,
        sql`${messages.reason} is not null`,
      ),
    );
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}
