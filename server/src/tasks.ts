// What a server does from time to time: it takes over the runs of dead processes,
// sends questions that waited for an answer, and deletes what has expired (sweeps.ts).
import { createFollowedComparison } from './feed/follow-changes.ts';
import { sweepRetention } from './admin/retention/sweep-retention.ts';
import type { DirectoryWatch } from './auth/ldap/directory-watch.ts';
import type { Budgets } from './billing/budgets/budgets.ts';
import { rereadSaved } from './catalog/live/follow-saved.ts';
import { giveMissingTitles } from './convos/fallback-titles.ts';
import { sendDueQuestions } from './queue/send-due.ts';
import { startSchedules } from './schedules/clock.ts';
import { listSweeps, type SweepDeps } from './sweeps.ts';
import { gatherUsage } from './usage/gather.ts';
import type { Base } from './open-base.ts';
import type { Replies } from './open-replies.ts';

interface From extends SweepDeps, Base, Pick<Replies, 'askService' | 'endedIndexer' | 'settle'> {
  budgets: Pick<Budgets, 'reload'>;
  directoryWatch: Pick<DirectoryWatch, 'askDue'>;
}

/** How late a change may be seen whose notification was lost. */
const COMPARE_FOLLOWED_EVERY_MS = 20_000;
const REREAD_SAVED_EVERY_MS = 60_000;
const GATHER_USAGE_EVERY_MS = 60_000;
/** It does something once an hour, in one of the processes. */
const SWEEP_RETENTION_EVERY_MS = 10 * 60_000;

/** Starts the tasks. The returned function ends them and waits for those under way, which do not begin anything more. */
export function startTasks(from: From): () => Promise<void> {
  const { db, pubsub, endpoints, toolSettings, access, prices, budgets, endedIndexer, askService, timings, onFault } =
    from;
  const ending = new AbortController();
  const start = (ms: number, task: () => Promise<unknown>) => every(ms, task, onFault);
  const ends = [
    start(timings.recoveryEveryMs, recovery(from, ending.signal)),
    start(timings.recoveryEveryMs, endedIndexer.run),
    start(timings.queueEveryMs, () => sendDueQuestions({ db, askService, graceMs: timings.queueGraceMs })),
    startSchedules({ db, pubsub, askService, timings, onFault }),
    start(COMPARE_FOLLOWED_EVERY_MS, createFollowedComparison({ db, pubsub })),
    start(REREAD_SAVED_EVERY_MS, rereadSaved(db, [endpoints, toolSettings, budgets, access, prices])),
    start(GATHER_USAGE_EVERY_MS, () => gatherUsage(db)),
    start(timings.directoryEveryMs, () => from.directoryWatch.askDue(ending.signal)),
    start(SWEEP_RETENTION_EVERY_MS, () => sweepRetention(from, ending.signal)),
    ...listSweeps(from, ending.signal).map(({ everyMs, sweep }) => start(everyMs, sweep)),
  ];
  return async () => {
    ending.abort();
    await Promise.all(ends.map((end) => end()));
  };
}

/** At the start, and whenever a process has left runs behind, it may have left conversations without a title, too. */
function recovery({ db, endpoints, settle }: Pick<From, 'db' | 'endpoints' | 'settle'>, ending: AbortSignal) {
  let hasEnded = true;
  return async () => {
    if ((await settle(ending)) > 0) hasEnded = true;
    else if (hasEnded) await giveMissingTitles(db, endpoints.list()).then(() => (hasEnded = false));
  };
}

/** Calls `task` now and then repeatedly, one at a time; the returned function stops it. */
function every(ms: number, task: () => Promise<unknown>, onFault: (error: unknown) => void): () => Promise<void> {
  let running: Promise<unknown> | null = null;
  const look = () => {
    running ??= task()
      .catch(onFault)
      .finally(() => (running = null));
  };
  const timer = setInterval(look, ms);
  look();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
