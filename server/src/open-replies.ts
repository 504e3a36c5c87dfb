// Opens what begins, writes, ends and recovers answers.
import { createAskService, type AskServiceDeps } from './chat/ask-service.ts';
import { createModeration } from './chat/checks/moderation.ts';
import { createRecentBranches } from './chat/context/recent-branches.ts';
import { createSummaries } from './chat/context/summaries.ts';
import { createLogStore, LEASE_SECONDS } from './chat/log-store.ts';
import { recoverGuarded, releaseRuns } from './chat/recovery.ts';
import { createTakeoverGuard } from './chat/takeover-guard.ts';
import type { Config } from './config.ts';
import { createTitles } from './convos/titles.ts';
import { createWrittenConvos } from './convos/written-convos.ts';
import { createLog } from './generation/log.ts';
import { createRuns } from './generation/runs.ts';
import { createEndedIndexer } from './search/index-ended.ts';
import type { Timings } from './timings.ts';
import { openApiCalls } from './chat/api-calls/open-api-calls.ts';

type Opened =
  | 'runs'
  | 'moderate'
  | 'generationLog'
  | 'settle'
  | 'summaries'
  | 'endedIndexer'
  | 'titles'
  | 'writtenConvos';

interface ReplyServices extends Omit<AskServiceDeps, Opened | 'timings'> {
  config: Config;
  timings: Timings;
  /** Lease: how long after a database outage no run is taken over, in milliseconds. */
  takeoverWaitMs?: number;
  onFault: (error: unknown) => void;
}

export function openReplies(parts: ReplyServices) {
  const { config, db, log, metrics, owner, billing, timings, takeoverWaitMs = LEASE_SECONDS * 1000, onFault } = parts;
  const generationLog = createLog(createLogStore(db, owner, metrics), onFault);
  const runs = createRuns(generationLog, { ...config.endpoints.timeouts, ...timings }, onFault);
  const guard = createTakeoverGuard(db, takeoverWaitMs);
  const apiCalls = openApiCalls(parts);
  const settle = (ending?: AbortSignal) =>
    recoverGuarded(db, guard, owner, [...generationLog.runningIds(), ...apiCalls.running.ids()], {
      log,
      metrics,
      ending,
    });
  const endedIndexer = createEndedIndexer(db, onFault);
  const writtenConvos = createWrittenConvos();
  const titles = createTitles({ db, log, billing, writtenConvos, running: runs.size });
  const opened = { runs, generationLog, settle, endedIndexer, writtenConvos, titles };
  // The summary counts towards the timeout of the first token.
  const timeoutMs = Math.min(timings.summaryTimeoutMs, config.endpoints.timeouts.firstTokenMs / 2);
  return {
    ...opened,
    askService: createAskService({
      ...parts,
      ...opened,
      summaries: createSummaries({ db, log, timeoutMs, billing }),
      moderate: createModeration(db, apiCalls.moderateWords),
    }),
    apiCalls,
    recentBranches: createRecentBranches(db.query),
    releaseLeases: () => releaseRuns(db, owner),
  };
}
