// Opens what begins, writes, ends and recovers answers.
import { createBeginningRuns } from './chat/begin/beginning-runs.ts';
import { createAskService, type AskServiceDeps } from './chat/ask-service.ts';
import { createModeration } from './chat/checks/moderation.ts';
import { createRecentBranches } from './chat/context/recent-branches.ts';
import { createSummaries } from './chat/context/summaries.ts';
import { createLogStore, LEASE_SECONDS } from './chat/log-store.ts';
import { createSettle, releaseRuns } from './chat/recovery.ts';
import { createTakeoverGuard } from './chat/takeover-guard.ts';
import { createTitles } from './convos/titles.ts';
import { createWrittenConvos } from './convos/written-convos.ts';
import { createLog } from './generation/log.ts';
import { createRuns } from './generation/runs.ts';
import { createEndedIndexer } from './search/index-ended.ts';
import { openApiCalls } from './chat/api-calls/open-api-calls.ts';
import type { Base } from './open-base.ts';

type Opened =
  | 'beginning'
  | 'runs'
  | 'moderate'
  | 'generationLog'
  | 'settle'
  | 'summaries'
  | 'endedIndexer'
  | 'titles'
  | 'writtenConvos';

type ReplyParts = Base & Omit<AskServiceDeps, Opened | keyof Base>;

export type Replies = ReturnType<typeof openReplies>;

export function openReplies(parts: ReplyParts) {
  const { config, db, log, metrics, owner, billing, timings, takeoverWaitMs = LEASE_SECONDS * 1000, onFault } = parts;
  const generationLog = createLog(createLogStore(db, owner, metrics), onFault);
  const runs = createRuns(generationLog, { ...config.endpoints.timeouts, ...timings }, onFault);
  const beginning = createBeginningRuns(db, owner, onFault);
  const apiCalls = openApiCalls({ ...parts, beginning });
  const isHeld = (id: string) => beginning.has(id) || apiCalls.running.has(id) || generationLog.find(id) !== undefined;
  const settle = createSettle(db, createTakeoverGuard(db, takeoverWaitMs), owner, {
    log,
    metrics,
    isHeld,
    onNotable: parts.notices.answerEnded,
    goOn: (run) => askService.goOn(run),
  });
  const writtenConvos = createWrittenConvos();
  const titles = createTitles({ db, log, billing, writtenConvos, running: runs.size });
  const opened = {
    runs,
    generationLog,
    settle,
    endedIndexer: createEndedIndexer(db, onFault),
    writtenConvos,
    titles,
  };
  const askService = createAskService({
    ...parts,
    ...opened,
    beginning,
    summaries: createSummaries({
      db,
      log,
      billing,
      // The summary counts towards the timeout of the first token.
      timeoutMs: Math.min(timings.summaryTimeoutMs, config.endpoints.timeouts.firstTokenMs / 2),
    }),
    moderate: createModeration(db, apiCalls.moderateWords),
  });
  return {
    ...opened,
    askService,
    apiCalls,
    recentBranches: createRecentBranches(db.query),
    releaseLeases: () => releaseRuns(db, owner),
  };
}
