// Tests of this room: tests/unit/schedules, tests/integration/schedules.

// Asks the question of one slot, and records what became of it.
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import { scheduleRuns, schedules } from '@parley/db/tables/automation/schedules';
import type { AskInput } from '@parley/schema/chat/ask';
import type { Reason } from '@parley/schema/reasons';
import { SCHEDULE_FAILURES_MAX } from '@parley/schema/schedules/schedule-rules';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { AskService } from '../chat/ask-service.ts';
import { nextHint } from '../convos/changes.ts';
import { permanentOwnedBy } from '../convos/rows.ts';
import { Refusal } from '../platform/errors.ts';
import type { ClaimedRun } from './claim-due.ts';
import { runIds } from './run-ids.ts';
import { ofId, inSchedule, type ScheduleRow } from './schedules.ts';
import { nextSlot } from './slots.ts';

export interface AskRunDeps {
  db: Db;
  askService: Pick<AskService, 'ask'>;
}

/** What stands in the way for a moment only: the run is asked again after its lease. */
const PASSING: ReadonlySet<Reason['type']> = new Set([
  'concurrent',
  'conflict',
  'credits_reserved',
  'message_limit',
  'unavailable',
]);
/** What is no fault of the schedule. */
const UNCOUNTED: ReadonlySet<Reason['type']> = new Set(['banned', 'unauthorized', 'budget']);

/** Asks; returns the refusal, if it was refused. The same run again is the same ask. */
export async function askRun({ db, askService }: AskRunDeps, run: ClaimedRun): Promise<Refusal | null> {
  const { userId } = run.schedule;
  try {
    const { convo } = await askService.ask(userId, await inputOf(db, run), { isUnattended: true });
    await recordAsked(db, run, convo.conversationId);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const convoId = await askedBefore(db, run);
    if (convoId !== null) await recordAsked(db, run, convoId);
    else if (!PASSING.has(error.reason.type)) await recordRefused(db, run, error.reason);
    return convoId === null ? error : null;
  }
}

async function inputOf({ query }: Db, { schedule, slot }: ClaimedRun): Promise<AskInput> {
  const { userId, id: scheduleId, target, text, files, folderId } = schedule;
  const { messageId, conversationId, ...ids } = runIds({ userId, scheduleId, slot });
  const place = schedule.convoId === null ? null : await placeIn(query, userId, schedule.convoId);
  const attached = files.length > 0 && { files: files.map(({ fileId }) => fileId) };
  const question = { kind: 'send' as const, messageId, text, ...attached };
  // A busy conversation refuses what has waited as a conflict, which is no violation.
  if (place)
    return {
      ...ids,
      ...target,
      ...place,
      keepsModel: true,
      target: { ...question, parentMessageId: place.parentMessageId, hasWaited: true },
    };
  return { ...ids, ...target, conversationId, folderId, target: { ...question, parentMessageId: null } };
}

/** Below the newest reply of the conversation; null where it is gone. */
async function placeIn(query: Db['query'], userId: string, convoId: string) {
  const [newest] = await query
    .select({ conversationId: convos.id, parentMessageId: messages.id })
    .from(convos)
    .leftJoin(
      messages,
      and(
        eq(messages.userId, convos.userId),
        eq(messages.convoId, convos.id),
        eq(messages.isCreatedByUser, false),
        isNull(messages.deletedAt),
      ),
    )
    .where(and(permanentOwnedBy(userId), eq(convos.id, convoId)))
    .orderBy(sql`${messages.seq} desc nulls last`)
    .limit(1);
  return newest ?? null;
}

/** The conversation in which the question was asked, also where it was deleted since. */
async function askedBefore(
  { query }: Db,
  { schedule: { userId, id: scheduleId }, slot }: ClaimedRun,
): Promise<string | null> {
  const { generationId } = runIds({ userId, scheduleId, slot });
  const [row] = await query
    .select({ convoId: generations.convoId })
    .from(generations)
    .where(and(eq(generations.id, generationId), eq(generations.userId, userId)));
  return row?.convoId ?? null;
}

async function recordAsked(
  { query }: Db,
  { schedule: { userId, id }, slot }: ClaimedRun,
  convoId: string,
): Promise<void> {
  await query.transaction(async (tx) => {
    await nextHint(tx, userId, 'schedules');
    await tx
      .update(scheduleRuns)
      .set({ convoId })
      .where(and(inSchedule(userId, id), eq(scheduleRuns.slot, slot)));
  });
}

async function recordRefused({ query }: Db, { schedule, slot }: ClaimedRun, reason: Reason): Promise<void> {
  const { userId, id } = schedule;
  await query.transaction(async (tx) => {
    await nextHint(tx, userId, 'schedules');
    if (reason.type === 'budget') await waitForBudget(tx, schedule, new Date(reason.renewsAt));
    else if (!UNCOUNTED.has(reason.type)) await countFailure(tx, schedule);
    await tx
      .update(scheduleRuns)
      .set({ state: 'refused', reason })
      .where(and(inSchedule(userId, id), eq(scheduleRuns.slot, slot)));
  });
}

/** The next slot is the first one after the budget begins again; what is asked once is asked then. */
async function waitForBudget(tx: Tx, schedule: ScheduleRow, renewsAt: Date): Promise<void> {
  const next = schedule.cron === null ? renewsAt : nextSlot(schedule, renewsAt);
  await tx
    .update(schedules)
    .set({ nextAt: next?.toISOString() ?? null, state: next ? 'on' : 'ended' })
    .where(and(ofId(schedule.userId, schedule.id), eq(schedules.version, schedule.version)));
}

async function countFailure(tx: Tx, { userId, id, version }: ScheduleRow): Promise<void> {
  const [row] = await tx
    .update(schedules)
    .set({ failures: sql`${schedules.failures} + 1` })
    .where(and(ofId(userId, id), eq(schedules.version, version)))
    .returning({ failures: schedules.failures });
  if (!row || row.failures < SCHEDULE_FAILURES_MAX) return;
  await tx
    .update(schedules)
    .set({ state: 'paused', nextAt: null })
    .where(and(ofId(userId, id), eq(schedules.state, 'on')));
}

/**
 * Asks once beside the rule, also where it is paused. A second request of the same second is the same run.
 * @throws Refusal of the question
 */
export async function runNow(deps: AskRunDeps, userId: string, id: string): Promise<{ conversationId: string | null }> {
  const slot = new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();
  const { generationId } = runIds({ userId, scheduleId: id, slot });
  const schedule = await deps.db.query.transaction(async (tx) => {
    await nextHint(tx, userId, 'schedules');
    const [row] = await tx.select().from(schedules).where(ofId(userId, id));
    if (!row) throw new Refusal({ type: 'not_found', what: 'schedule' });
    await tx
      .insert(scheduleRuns)
      .values({ userId, scheduleId: id, slot, generationId, state: 'asked' })
      .onConflictDoNothing();
    return row;
  });
  const refusal = await askRun(deps, { schedule, slot });
  if (refusal) {
    if (PASSING.has(refusal.reason.type))
      await recordRefused(deps.db, { schedule: { ...schedule, version: 0 }, slot }, refusal.reason);
    throw refusal;
  }
  const [run] = await deps.db.query
    .select({ convoId: scheduleRuns.convoId })
    .from(scheduleRuns)
    .where(and(inSchedule(userId, id), eq(scheduleRuns.slot, slot)))
    .orderBy(desc(scheduleRuns.slot));
  return { conversationId: run?.convoId ?? null };
}
