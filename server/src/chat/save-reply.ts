// What is saved of a reply when its run has ended.
import type { Db } from '@parley/db/client';
import { endpointTable, type EndpointRow } from '@parley/schema/catalog/endpoints';
import type { FinalEvent } from '@parley/schema/generation/events';
import type { Message } from '@parley/schema/messages/messages';
import type { Logger } from 'pino';
import type { CallMeter } from '../billing/call-meter.ts';
import { endedUsage } from '../billing/run-cost.ts';
import { expectedUsage } from '../billing/usage.ts';
import type { Titles } from '../convos/titles.ts';
import type { WrittenConvos } from '../convos/written-convos.ts';
import type { RunRecord } from '../generation/runs.ts';
import type { Notices } from '../notices/notices.ts';
import { reasonFacts } from '../platform/log-error.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { EndedIndexer } from '../search/index-ended.ts';
import { endedParts } from './answer/ended-parts.ts';
import type { Ask, AskResult } from './begin/ask.ts';
import { finalizeRun, type RunKey } from './finalize.ts';

export interface SaveServices {
  db: Db;
  titles: Titles;
  writtenConvos: WrittenConvos;
  endedIndexer: Pick<EndedIndexer, 'wake'>;
  notices: Pick<Notices, 'answerEnded'>;
  log: Logger;
  metrics: Metrics | null;
}

/** Describes a run that has begun. */
export interface Begun {
  ask: Ask;
  result: AskResult;
  key: RunKey;
  meter: CallMeter;
  /** Of a research, whose steps pay for themselves. */
  research: { unpaid(): ReturnType<CallMeter['used']> | undefined; saved(): Promise<void> } | null;
  /** It is a time by `performance.now()`. */
  at: number;
}

/** Saves a reply that has ended. Null where another process has taken over its run. */
export async function saveReply(
  services: SaveServices,
  run: Begun,
  reply: Message,
  record: RunRecord,
): Promise<FinalEvent | null> {
  const { metrics, writtenConvos } = services;
  const { endpoint, model, metadata } = run.ask;
  const { reserved, untitled, created } = run.result;
  const { keepsThread = false }: EndpointRow = endpointTable[endpoint.type];
  const { used, usage } = await endedUsage(run.meter, created.reply, { ...reply, context: record.context }, run.at);
  const unpaid = await run.research?.unpaid();
  const saved = { ...reply, parts: endedParts(reply, record.passages), context: record.context, usage };
  const final = await finalizeRun(services.db, run.key, saved, used, {
    providerThread: keepsThread ? record.thread : null,
    metrics,
    writtenConvos,
    isFree: !reserved?.isOfBalance,
    onNotable: services.notices.answerEnded,
    unpaid,
    run: { endpointType: endpoint.type, model, expected: reserved && expectedUsage(metadata.rates, reserved) },
  });
  services.endedIndexer.wake();
  if (final) await run.research?.saved();
  if (final?.reply.reason)
    services.log.warn(
      { event: 'generation.failed', ...logFields(run.ask), ...reasonFacts(final.reply.reason) },
      'A reply failed',
    );
  if (final && untitled && !final.convo.temporaryUntil) services.titles.give(run.key.userId, final, endpoint);
  return final;
}

/** Which run it is, for the log. */
export function logFields({ userId, endpoint, model, input: { generationId } }: Ask) {
  return { generationId, userId, endpoint: endpoint.name, model };
}
