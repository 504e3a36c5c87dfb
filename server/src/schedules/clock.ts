// Looks for due questions from time to time, but only while this server knows of a schedule that is on: where nobody has
// one, there is no timer and no query.
import type { Db } from '@parley/db/client';
import { scheduleRuns, schedules } from '@parley/db/tables/automation/schedules';
import { and, eq, exists, isNull, or, sql } from 'drizzle-orm';
import { followTopic } from '../catalog/live/follow-saved.ts';
import type { Timings } from '../config/timings.ts';
import { nextHint } from '../convos/changes.ts';
import type { PubSub } from '../platform/pubsub.ts';
import { askRun, type AskRunDeps } from './ask-run.ts';
import { BATCH_SCHEDULES, claimDue, claimUnwritten, type ClaimedRun } from './claim-due.ts';
import { SCHEDULES_TOPIC } from './schedules.ts';

interface From extends AskRunDeps {
  timings: Pick<Timings, 'schedulesEveryMs' | 'scheduleLeaseMs'>;
  onFault: (error: unknown) => void;
}

/**
 * Starts it. The returned function ends it and waits for what is under way. Another server tells of a schedule with the
 * commit that makes it, and a process that has lost its connection looks again.
 */
export function startSchedules(from: From & { pubsub: PubSub }): () => Promise<void> {
  const { db, timings, onFault } = from;
  const ending = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isTold = false;
  const unfollow = followTopic(from.pubsub, SCHEDULES_TOPIC, async () => begin());
  begin();
  look();
  return async () => {
    ending.abort();
    unfollow();
    stop();
    await running;
  };

  function begin(): void {
    isTold = true;
    timer ??= setInterval(look, timings.schedulesEveryMs);
  }

  function look(): void {
    running ??= lookOnce()
      .catch(onFault)
      .finally(() => (running = null));
  }

  async function lookOnce(): Promise<void> {
    isTold = false;
    if (await isAnyOn(db)) return askDueSchedules(from, ending.signal);
    // It may have been told meanwhile.
    if (!isTold) stop();
  }

  function stop(): void {
    if (timer) clearInterval(timer);
    timer = null;
  }
}

/** Whether a schedule is on, or a run of one that has ended was not written yet. */
async function isAnyOn({ query }: Db): Promise<boolean> {
  const one = { one: sql`1` };
  const on = query.select(one).from(schedules).where(eq(schedules.state, 'on'));
  const unwritten = query
    .select(one)
    .from(scheduleRuns)
    .where(and(eq(scheduleRuns.state, 'asked'), isNull(scheduleRuns.convoId)));
  const [row] = await query.execute<{ is_on: boolean }>(sql`select ${or(exists(on), exists(unwritten))} as is_on`);
  return row?.is_on === true;
}

/** Asks all questions that are due. An error is thrown after all of them. */
export async function askDueSchedules(from: Omit<From, 'onFault'>, ending: AbortSignal): Promise<void> {
  const faults: unknown[] = [];
  const askAll = (runs: readonly ClaimedRun[]) =>
    Promise.all(runs.map((run) => askRun(from, run).catch((error: unknown) => faults.push(error))));
  for (let count = BATCH_SCHEDULES; count === BATCH_SCHEDULES && !ending.aborted;) {
    const claimed = await claimDue(from.db);
    ({ count } = claimed);
    for (const userId of new Set(claimed.changed))
      await from.db.query.transaction((tx) => nextHint(tx, userId, 'schedules'));
    await askAll(claimed.runs);
  }
  if (!ending.aborted) await askAll(await claimUnwritten(from.db, from.timings.scheduleLeaseMs));
  if (faults.length > 0) throw faults[0];
}
