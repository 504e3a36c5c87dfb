// What a server does from time to time: it takes over the runs of dead processes,
// sends questions that waited for an answer, and deletes what has expired (sweeps.ts).
import { sweepRetention } from './admin/retention/sweep-retention.ts';
import type { DirectoryWatch } from './auth/ldap/directory-watch.ts';
import type { Budgets } from './billing/budgets/budgets.ts';
import { rereadSaved } from './catalog/live/follow-saved.ts';
import { giveMissingTitles } from './convos/fallback-titles.ts';
import { sendDueQuestions } from './queue/send-due.ts';
import { listSweeps, type SweepDeps } from './sweeps.ts';
import { gatherUsage } from './usage/gather.ts';
import type { Base } from './open-base.ts';
import type { Replies } from './open-replies.ts';
import type { Db } from '@parley/db/client';
import { CHANGE, changeTopic } from './convos/changes.ts';
import type { PubSub } from './platform/pubsub.ts';

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

// Tests of this room: tests/integration/convos/changes.test.ts, tests/integration/convos/convergence.test.ts.

/**
 * Wakes the followers of the people who have changed since the last call, in one statement: the notification of a
 * process that died after its commit never arrives. Where this process is alone it asks for no counters.
 */
export function createFollowedComparison({ db, pubsub }: { db: Db; pubsub: PubSub }): () => Promise<void> {
  let counters = new Map<string, number>();
  return async () => {
    const hasOthers = await db.lookForOthers();
    const followed = pubsub.subscribed(CHANGE);
    const rows =
      hasOthers && followed.length > 0
        ? await db.sql<{ id: string; change_seq: number }[]>`
            select id, change_seq from users where id = any(${followed}::uuid[])`
        : [];
    for (const { id, change_seq: seq } of rows) if (counters.get(id) !== seq) pubsub.notifyLost(changeTopic(id));
    counters = new Map(rows.map(({ id, change_seq: seq }) => [id, seq]));
  };
}
