// The run of an exchange: answers it, and saves the reply.
import { endpointTable, type EndpointRow } from '@parley/schema/catalog/endpoints';
import type { Logger } from 'pino';
import type { ToolServiceFailure } from '../agents/agent.ts';
import { endedUsage } from '../billing/run-cost.ts';
import { expectedUsage } from '../billing/usage.ts';
import type { Titles } from '../convos/titles.ts';
import type { WrittenConvos } from '../convos/written-convos.ts';
import type { ProviderTarget } from '../providers/provider.ts';
import { Refusal } from '../platform/errors.ts';
import type { Runs } from '../generation/runs.ts';
import { logError, reasonFacts } from '../platform/log-error.ts';
import type { Metrics } from '../platform/metrics.ts';
import { reasonOfDatabase } from '../platform/database-fault.ts';
import { meterOf, replyDeltas, type ReplyDeps } from './answer/reply-deltas.ts';
import { endedParts } from './answer/ended-parts.ts';
import type { Ask, AskResult } from './begin/ask.ts';
import type { EndedIndexer } from '../search/index-ended.ts';
import { putMissingEntry } from '../search/put-missing.ts';
import type { Timings } from '../config/timings.ts';
import { finalizeRun } from './finalize.ts';

/** Starts the run of an ask that has just begun. `target` is the provider's address and key. */
export type StartRun = (ask: Ask, result: AskResult, target: ProviderTarget) => void;

export interface RunDeps extends ReplyDeps {
  owner: string;
  runs: Runs;
  titles: Titles;
  writtenConvos: WrittenConvos;
  endedIndexer: Pick<EndedIndexer, 'wake'>;
  log: Logger;
  metrics: Metrics | null;
  timings: Pick<Timings, 'documentWaitMs' | 'indexQuestionMs'>;
}

const FIRST_EPOCH = 1;

export function createStartRun(deps: RunDeps): StartRun {
  const { db, owner, runs, titles, writtenConvos, endedIndexer, log, metrics, timings } = deps;
  return function startRun(ask, result, target) {
    const { userId, endpoint, model, input } = ask;
    const { created, untitled, stopRequested } = result;
    const { generationId } = input;
    const where = { generationId, userId, endpoint: endpoint.name, model };
    const onToolFault = (error: unknown) => logError(log, error, { event: 'tool.failed', generationId, userId });
    const { keepsThread = false }: EndpointRow = endpointTable[endpoint.type];
    const key = { generationId, userId, owner, epoch: FIRST_EPOCH };
    const onServiceFailure = (failure: ToolServiceFailure) =>
      log.warn({ event: 'tool.service_failed', generationId, userId, ...failure }, 'The service of a tool failed');
    const asking = {
      target,
      key,
      reserved: result.reserved,
      meter: meterOf(deps, ask, result),
      onFault: onToolFault,
      onServiceFailure,
    };
    const indexing = result.written
      ? setTimeout(() => {
          void putMissingEntry(db, userId, created.request.messageId).catch((error: unknown) =>
            logError(log, error, { event: 'task.failed', generationId, userId }),
          );
        }, timings.indexQuestionMs)
      : undefined;
    const begunAt = performance.now();
    metrics?.generationStarted();
    runs.start({
      generationId,
      userId,
      epoch: FIRST_EPOCH,
      created,
      isSpaced: input.target.kind === 'edit' || input.target.kind === 'continue',
      deltas: (signal, onBytes) => replyDeltas(deps, ask, result, { ...asking, onBytes }, signal),
      reasonOf(error) {
        if (error instanceof Refusal) return error.reason;
        logError(log, error, { event: 'generation.failed', ...where });
        return reasonOfDatabase(error) ?? { type: 'unknown', text: 'Something went wrong on the server.' };
      },
      async save(reply, record) {
        const { used, usage } = await endedUsage(
          asking.meter,
          created.reply,
          { ...reply, context: record.context },
          begunAt,
        );
        const { passages } = record;
        const isBare =
          passages.length === 0 && reply.parts.every(({ type }) => type === 'text' || type === 'reasoning');
        const parts = isBare ? reply.parts : endedParts(reply, passages);
        const whole = { ...reply, parts, context: record.context, usage };
        const final = await finalizeRun(db, key, whole, used, {
          providerThread: keepsThread ? record.thread : null,
          metrics,
          writtenConvos,
          isFree: !result.reserved?.isOfBalance,
          run: {
            endpointType: endpoint.type,
            model,
            expected: result.reserved && expectedUsage(ask.metadata.rates, result.reserved),
          },
        });
        endedIndexer.wake();
        const reason = final?.reply.reason;
        if (reason) log.warn({ event: 'generation.failed', ...where, ...reasonFacts(reason) }, 'A reply failed');
        if (final && untitled && !final.convo.temporaryUntil) titles.give(userId, final, endpoint);
        return final;
      },
      ...(metrics && { onFirstDelta: (sinceAskedMs) => metrics.firstToken(sinceAskedMs / 1000) }),
      onEnd(outcome) {
        clearTimeout(indexing);
        metrics?.generationEnded(outcome);
      },
    });
    if (stopRequested) void runs.stop(generationId);
  };
}
