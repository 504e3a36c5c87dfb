// Claims what is due. A slot's row and the schedule's next slot are written in one transaction, so that whatever dies
// afterwards, the slot is known and no other server claims it.
import type { Db, Tx } from '@parley/db/client';
import { scheduleRuns, schedules } from '@parley/db/tables/automation/schedules';
import { users } from '@parley/db/tables/users';
import { isActive } from '@parley/db/user-rows';
import { SCHEDULE_FAILURES_MAX, SCHEDULE_RUNS_MAX } from '@parley/schema/schedules/schedule-rules';
import { and, desc, eq, lte, ne, or, sql } from 'drizzle-orm';
import type { Reason } from '@parley/schema/reasons';
import { deriveReplyId, runIds } from './run-ids.ts';
import { failuresAmong, ofId, inSchedule, type ScheduleRow } from './schedules.ts';
import { dueSlots, type DueSlots } from './slots.ts';

/** Schedules of one claim, whose questions are asked at once. */
export const BATCH_SCHEDULES = 20;

/** A slot that this server asks. */
export interface ClaimedRun {
  schedule: ScheduleRow;
  slot: string;
}

export interface Claimed {
  /** How many schedules were due; fewer than `BATCH_SCHEDULES` when no more are. */
  count: number;
  runs: ClaimedRun[];
  /** Whose schedules have changed without a run. */
  changed: string[];
}

/** Of people who may ask; the others' schedules stay due until they may again. */
export function claimDue({ query }: Db): Promise<Claimed> {
  return query.transaction(async (tx) => {
    const due = await tx
      .select({ schedule: schedules, now: sql<string>`now()::text` })
      .from(schedules)
      .innerJoin(users, eq(users.id, schedules.userId))
      .where(and(eq(schedules.state, 'on'), lte(schedules.nextAt, sql`now()`), isActive))
      .orderBy(schedules.nextAt)
      .limit(BATCH_SCHEDULES)
      .for('update', { of: schedules, skipLocked: true });
    const claimed: Claimed = { count: due.length, runs: [], changed: [] };
    for (const { schedule, now } of due) {
      const slot = await claimOne(tx, schedule, new Date(now));
      if (slot) claimed.runs.push({ schedule, slot: slot.toISOString() });
      else claimed.changed.push(schedule.userId);
    }
    return claimed;
  });
}

/** Returns the slot that is asked, if any is. */
async function claimOne(tx: Tx, row: ScheduleRow, now: Date): Promise<Date | null> {
  const failures = await failuresSoFar(tx, row);
  const first = new Date(row.nextAt ?? now);
  const due = failures < SCHEDULE_FAILURES_MAX ? slotsOf(row, first, now) : null;
  if (!due) {
    if (failures < SCHEDULE_FAILURES_MAX) await insertRuns(tx, row, 'refused', [first], UNKNOWN_ZONE);
    await tx.update(schedules).set({ state: 'paused', nextAt: null, failures }).where(ofId(row.userId, row.id));
    return null;
  }
  const { asked, missed, next } = due;
  await insertRuns(tx, row, 'missed', missed);
  if (asked) await insertRuns(tx, row, 'asked', [asked]);
  await tx
    .update(schedules)
    .set({ failures, nextAt: next?.toISOString() ?? null, state: next ? 'on' : 'ended' })
    .where(ofId(row.userId, row.id));
  await removeOldRuns(tx, row);
  return asked;
}

/** A zone that this server's list of zones has lost. */
const UNKNOWN_ZONE: Reason = { type: 'invalid_input', text: 'There is no such time zone' };

function slotsOf(row: ScheduleRow, first: Date, now: Date): DueSlots | null {
  try {
    return dueSlots(row, first, now);
  } catch {
    return null;
  }
}

/** Counts the reply of the last run, which has ended long ago. Refusals were counted when they came. */
async function failuresSoFar(tx: Tx, { userId, id, failures }: ScheduleRow): Promise<number> {
  const [last] = await tx
    .select()
    .from(scheduleRuns)
    .where(inSchedule(userId, id))
    .orderBy(desc(scheduleRuns.slot))
    .limit(1);
  if (last?.state !== 'asked' || last.convoId === null) return failures;
  const replyId = deriveReplyId(last);
  return (await failuresAmong(tx, userId, [replyId])).has(replyId) ? failures + 1 : 0;
}

async function insertRuns(
  tx: Tx,
  { userId, id: scheduleId }: ScheduleRow,
  state: 'asked' | 'missed' | 'refused',
  slots: readonly Date[],
  reason: Reason | null = null,
): Promise<void> {
  if (slots.length === 0) return;
  const rows = slots.map((at) => {
    const slot = at.toISOString();
    return { userId, scheduleId, slot, state, reason, generationId: runIds({ userId, scheduleId, slot }).generationId };
  });
  await tx.insert(scheduleRuns).values(rows).onConflictDoNothing();
}

async function removeOldRuns(tx: Tx, { userId, id }: ScheduleRow): Promise<void> {
  const newest = tx
    .select({ slot: scheduleRuns.slot })
    .from(scheduleRuns)
    .where(inSchedule(userId, id))
    .orderBy(desc(scheduleRuns.slot))
    .limit(SCHEDULE_RUNS_MAX);
  const oldest = sql`(select min(kept.slot) from (${newest}) kept)`;
  await tx.delete(scheduleRuns).where(and(inSchedule(userId, id), sql`${scheduleRuns.slot} < ${oldest}`));
}

/**
 * Runs whose question a server did not get to write: it has died, or was refused for the moment. They are asked again
 * under the same ids, unless they are a day late.
 */
export function claimUnwritten({ query }: Db, leaseMs: number): Promise<ClaimedRun[]> {
  const lease = sql`now() - make_interval(secs => ${leaseMs / 1000})`;
  const isLate = sql<boolean>`${scheduleRuns.slot} < now() - interval '1 day'`;
  return query.transaction(async (tx) => {
    const rows = await tx
      .select({ schedule: schedules, slot: scheduleRuns.slot, isLate })
      .from(scheduleRuns)
      .innerJoin(schedules, and(eq(schedules.userId, scheduleRuns.userId), eq(schedules.id, scheduleRuns.scheduleId)))
      .innerJoin(users, eq(users.id, scheduleRuns.userId))
      .where(
        and(
          sql`${scheduleRuns.state} = 'asked' and ${scheduleRuns.convoId} is null and ${scheduleRuns.at} <= ${lease}`,
          or(isLate, and(ne(schedules.state, 'paused'), isActive)),
        ),
      )
      .limit(BATCH_SCHEDULES)
      .for('update', { of: scheduleRuns, skipLocked: true });
    for (const { schedule, slot, isLate: missed } of rows)
      await tx
        .update(scheduleRuns)
        .set({ at: sql`now()`, ...(missed && { state: 'missed' as const }) })
        .where(and(inSchedule(schedule.userId, schedule.id), eq(scheduleRuns.slot, slot)));
    return rows.filter((row) => !row.isLate);
  });
}
