// What a server does from time to time: it takes over the runs of dead processes,
// sends questions that waited for an answer, and deletes what has expired.
import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import { sweepPendingSignIns } from './mcp/tokens.ts';
import { sweepConnections } from './actions/rows.ts';
import { sweepNetworkBans } from './auth/network-bans.ts';
import { sweepRateLimits } from './platform/rate-limiter.ts';
import { sweepResets } from './auth/reset/reset-links.ts';
import { sweepExpired } from './auth/session/sessions.ts';
import { sweepGenerations } from './chat/recovery.ts';
import type { Endpoints } from './catalog/endpoint.ts';
import type { AskService } from './chat/ask-service.ts';
import type { Config } from './config.ts';
import { giveMissingTitles } from './convos/fallback-titles.ts';
import { createFollowedComparison } from './feed/compare-followed.ts';
import type { PubSub } from './platform/pubsub.ts';
import { sendDueQuestions } from './queue/send-due.ts';
import type { EndedIndexer } from './search/index-ended.ts';
import { sweepAccounts } from './trash/sweep-accounts.ts';
import { sweepTemporary, sweepTrash } from './trash/sweep.ts';
import { arrivalsFolder, readingFolder } from './storage/arrivals.ts';
import type { FileStores } from './storage/file-store.ts';
import { sweepArrivals, sweepFiles } from './files/sweep.ts';
import { sweepShares } from './shares/shares.ts';
import { sweepKeys } from './keys/keys.ts';
import { sweepWords } from './search/sweep.ts';
import type { Timings } from './timings.ts';

interface From {
  db: Db;
  config: Config;
  log: Logger;
  stores: FileStores;
  /** Settles the runs of dead processes, until it is told to end, and resolves to how many. */
  settle: (ending: AbortSignal) => Promise<number>;
  endpoints: Pick<Endpoints, 'list'>;
  pubsub: PubSub;
  endedIndexer: Pick<EndedIndexer, 'run'>;
  ask: AskService['ask'];
  timings: Pick<Timings, 'recoveryEveryMs' | 'queueEveryMs' | 'queueGraceMs'>;
  onFault: (error: unknown) => void;
}

const SWEEP_EVERY_MS = 10 * 60_000;
/** How late a change may be seen whose notification was lost. */
const COMPARE_FOLLOWED_EVERY_MS = 20_000;
/** Interval at which expired keys are deleted. */
const SWEEP_KEYS_EVERY_MS = 60_000;
/** Interval at which temporary conversations that have ended are deleted. */
const SWEEP_TEMPORARY_EVERY_MS = 60_000;

/** Starts the tasks. The returned function ends them and waits for those under way, which do not begin anything more. */
export function startTasks(from: From): () => Promise<void> {
  const { db, config, stores, log, pubsub, endedIndexer, ask, timings, onFault } = from;
  const ending = new AbortController();
  const start = (ms: number, task: () => Promise<unknown>) => every(ms, task, onFault);
  const ends = [
    start(timings.recoveryEveryMs, recovery(from, ending.signal)),
    start(timings.recoveryEveryMs, endedIndexer.run),
    start(timings.queueEveryMs, () => sendDueQuestions({ db, ask, graceMs: timings.queueGraceMs })),
    start(COMPARE_FOLLOWED_EVERY_MS, createFollowedComparison({ db, pubsub })),
    start(SWEEP_EVERY_MS, () => sweep(db, config, ending.signal)),
    start(SWEEP_EVERY_MS, () => sweepFiles({ db, stores, arrivals: arrivalsFolder(config), onFault })),
    start(SWEEP_EVERY_MS, () => sweepAccounts({ db, log })),
    start(SWEEP_KEYS_EVERY_MS, () => sweepKeys(db)),
    start(SWEEP_TEMPORARY_EVERY_MS, () => sweepTemporary(db)),
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

async function sweep(db: Db, config: Config, ending: AbortSignal): Promise<void> {
  const sweeps = [
    () => sweepExpired(db),
    () => sweepResets(db),
    () => sweepRateLimits(db),
    () => sweepNetworkBans(db, config.bans.durationMs),
    () => sweepGenerations(db),
    () => sweepTrash(db),
    () => sweepShares({ db }),
    () => sweepWords(db),
    () => sweepConnections(db),
    () => sweepPendingSignIns(db),
    () => sweepArrivals(readingFolder(config)),
  ];
  for (const next of sweeps) if (!ending.aborted) await next();
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
