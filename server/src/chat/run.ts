// The run of an exchange: answers it, and saves the reply.
import type { CreatedEvent } from '@parley/schema/generation/events';
import type { ToolServiceFailure } from '../agents/agent.ts';
import type { ProviderTarget } from '../providers/provider.ts';
import { Refusal } from '../platform/errors.ts';
import type { Runs } from '../generation/runs.ts';
import { logError } from '../platform/log-error.ts';
import { reasonOfDatabase } from '../platform/database-fault.ts';
import { replyDeltas, type ReplyDeps } from './answer/reply-deltas.ts';
import { askedCharge } from './chargeable.ts';
import { beginResearch, type Earlier, type ResearchBeginDeps } from './research/begin-run.ts';
import type { Ask, AskResult } from './begin/ask.ts';
import { putMissingEntry } from '../search/put-missing.ts';
import type { Timings } from '../config/timings.ts';
import type { RunKey } from './finalize.ts';
import { logFields, saveReply, type SaveServices } from './save-reply.ts';

/** Starts the run of an ask that has just begun. `target` is the provider's address and key. */
export type StartRun = (ask: Ask, result: AskResult, target: ProviderTarget, earlier?: Earlier) => void;

export interface RunDeps extends ReplyDeps, SaveServices, ResearchBeginDeps {
  owner: string;
  runs: Runs;
  timings: Pick<
    Timings,
    'documentWaitMs' | 'indexQuestionMs' | 'researchStepMs' | 'researchPatienceMs' | 'researchRetryMs'
  >;
}

const FIRST_EPOCH = 1;

export function createStartRun(deps: RunDeps): StartRun {
  return (ask, result, target, earlier) => startRun(deps, ask, result, target, earlier);
}

function startRun(deps: RunDeps, ask: Ask, result: AskResult, target: ProviderTarget, earlier?: Earlier): void {
  const { owner, runs, log, metrics } = deps;
  const { userId, input } = ask;
  const { generationId } = input;
  const key = { generationId, userId, owner, epoch: earlier?.epoch ?? FIRST_EPOCH };
  const research = input.research ? beginResearch(deps, ask, key, earlier) : null;
  // The prompt of each call is told: recovery knows nothing else of it.
  const meter = research?.begun.meter ?? deps.billing.meter(askedCharge(deps.db.query, ask), result.reserved, true);
  const run = { ask, result, key, meter, research, at: performance.now() };
  const asking = {
    target,
    key,
    reserved: result.reserved,
    meter,
    research: research?.begun ?? null,
    onFault: (error: unknown) => logError(log, error, { event: 'tool.failed', generationId, userId }),
    onServiceFailure: (failure: ToolServiceFailure) =>
      log.warn({ event: 'tool.service_failed', generationId, userId, ...failure }, 'The service of a tool failed'),
  };
  const indexing = result.written ? indexQuestionSoon(deps, result.created, key) : undefined;
  metrics?.generationStarted();
  runs.start({
    generationId,
    userId,
    epoch: key.epoch,
    created: result.created,
    earlier: earlier?.entries,
    isSpaced: input.target.kind === 'edit' || input.target.kind === 'continue',
    deltas: (signal, onBytes) => replyDeltas(deps, ask, result, { ...asking, onBytes }, signal),
    reasonOf(error) {
      if (error instanceof Refusal) return error.reason;
      logError(log, error, { event: 'generation.failed', ...logFields(ask) });
      return reasonOfDatabase(error) ?? { type: 'unknown', text: 'Something went wrong on the server.' };
    },
    save: (reply, record) => saveReply(deps, run, reply, record),
    ...(metrics && { onFirstDelta: (sinceAskedMs) => metrics.firstToken(sinceAskedMs / 1000) }),
    onEnd(outcome) {
      clearTimeout(indexing);
      research?.end();
      metrics?.generationEnded(outcome);
    },
  });
  if (result.stopRequested) void runs.stop(generationId);
}

/** Enters the question into the search while its answer is still being written. */
function indexQuestionSoon(
  { db, log, timings }: RunDeps,
  { request }: CreatedEvent,
  { generationId, userId }: RunKey,
): NodeJS.Timeout {
  return setTimeout(() => {
    void putMissingEntry(db, userId, request.messageId).catch((error: unknown) =>
      logError(log, error, { event: 'task.failed', generationId, userId }),
    );
  }, timings.indexQuestionMs);
}
