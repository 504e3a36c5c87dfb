// The run of an exchange: reads the history, calls the provider, and saves the answer.
import type { Db } from '@parley/db/client';
import { textOf, type Message } from '@parley/schema/messages/messages';
import type { ProviderThread } from '@parley/schema/chat/provider-thread';
import type { Logger } from 'pino';
import { withKnowledge } from '../assistants/chosen.ts';
import type { Billing } from '../billing/billing.ts';
import { addUsage, pricedAt, usedBy } from '../billing/usage.ts';
import type { Titles } from '../convos/titles.ts';
import type { ProviderTarget } from '../providers/provider.ts';
import { Refusal } from '../platform/errors.ts';
import type { Delta } from '../generation/delta.ts';
import type { Runs } from '../generation/runs.ts';
import { logError } from '../platform/log-error.ts';
import type { Metrics } from '../platform/metrics.ts';
import { reasonOfDatabase } from '../platform/database-fault.ts';
import type { Ask, AskResult } from './ask-messages.ts';
import { chargeableOf } from './chargeable.ts';
import { withCitations, type ToldPassage } from '../retrieval/cite.ts';
import type { Finding } from '../retrieval/find.ts';
import type { Retrieval } from '../retrieval/retrieval.ts';
import type { Timings } from '../timings.ts';
import { loadAttachments, textReader, type AttachmentRules, type ReadFile } from './context/attachments.ts';
import { contextLimitsOf, fileRulesOf, withFiles } from './context/context-limits.ts';
import { filesOfBranch, type FilesShown } from './context/files-shown.ts';
import { lineUpFrom, readHistory, type Fitting } from './context/history.ts';
import { prepareFiles } from './context/prepare-files.ts';
import { branchAbove } from './context/recent-branches.ts';
import { noteContext } from './context/told-passages.ts';
import type { Summaries } from './context/summaries.ts';
import { finalizeRun } from './finalize.ts';
import { capturingProviderThread, findProviderThread } from './provider-thread.ts';

/** Starts the run of an ask that has just begun. `target` is the provider's address and key. */
export type StartRun = (ask: Ask, result: AskResult, target: ProviderTarget) => void;

export interface RunDeps {
  db: Db;
  owner: string;
  runs: Runs;
  titles: Titles;
  summaries: Summaries;
  billing: Billing;
  readFile: ReadFile;
  retrieval: Pick<Retrieval, 'wake' | 'find' | 'pagesOf'>;
  timings: Pick<Timings, 'documentWaitMs'>;
  log: Logger;
  metrics: Metrics;
}

/** What a run records beside its reply. */
interface Learned {
  context: Message['context'];
  thread: ProviderThread | null;
  /** The passages that the model was told, by whose numbers it cites them. */
  passages: readonly ToldPassage[];
  /** When the provider was called, in `performance.now()` time. */
  calledAt: number;
}

const FIRST_EPOCH = 1;

export function createStartRun(deps: RunDeps): StartRun {
  const { db, owner, runs, titles, summaries, billing, readFile, log, metrics } = deps;
  return function startRun(ask, result, target) {
    const { userId, endpoint, input } = ask;
    const { created, untitled, stopRequested } = result;
    const { generationId } = input;
    const learned: Learned = { context: null, thread: null, passages: [], calledAt: 0 };
    metrics.generationStarted();
    runs.start({
      generationId,
      userId,
      epoch: FIRST_EPOCH,
      created,
      isSpaced: input.target.kind === 'edit' || input.target.kind === 'continue',
      deltas: (signal) => deltasOf(ask, result, { target, learned, signal }),
      reasonOf(error) {
        if (error instanceof Refusal) return error.reason;
        logError(log, error, { event: 'generation.failed', generationId, userId, provider: endpoint.name });
        return reasonOfDatabase(error) ?? { type: 'unknown', text: 'Something went wrong on the server.' };
      },
      async save(reply) {
        const used = pricedAt(ask.metadata.rates, usedBy(created.reply, reply));
        const parts = withCitations(reply.parts, learned.passages);
        const whole = { ...reply, parts, context: learned.context, usage: addUsage(created.reply.usage, used) };
        const key = { generationId, userId, owner, epoch: FIRST_EPOCH };
        const final = await finalizeRun(db, key, whole, used, {
          providerThread: learned.thread,
          metrics,
          isFree: result.reserved === null,
        });
        if (final?.reply.reason) {
          const reason = final.reply.reason.type;
          log.warn({ event: 'generation.failed', generationId, provider: endpoint.name, reason }, 'A reply failed');
        }
        if (final && untitled) titles.give(userId, final, endpoint);
        return final;
      },
      onFirstDelta() {
        if (learned.calledAt > 0) metrics.firstToken((performance.now() - learned.calledAt) / 1000);
      },
      onEnd: (outcome) => metrics.generationEnded(outcome),
    });
    if (stopRequested) void runs.stop(generationId);
  };

  async function* deltasOf(
    ask: Ask,
    result: AskResult,
    { target, learned, signal }: { target: ProviderTarget; learned: Learned; signal: AbortSignal },
  ): AsyncGenerator<Delta> {
    const { userId, endpoint, model } = ask;
    const { created, reserved } = result;
    const { convo } = created;
    const { settings } = convo;
    const { plan, files, attachments } = yield* planPrompt(deps, ask, result, signal);
    const {
      messages: shown,
      summary,
      context,
    } = await summaries.complete(plan, { userId, convo, endpoint, model }, signal);
    // Stopped before the provider was called: there is no output and no charge.
    if (signal.aborted) return;
    learned.context = {
      ...context,
      ...(files.record.length > 0 && { files: files.record }),
      ...(ask.assistant && { assistantId: ask.assistant.id }),
    };
    learned.passages = files.passages;
    if (files.passages.length > 0 || created.reply.context) {
      const key = { generationId: ask.input.generationId, userId, owner, epoch: FIRST_EPOCH };
      await noteContext(db, key, created.reply.messageId, learned.context);
    }
    const messages = await loadAttachments(shown, userId, attachments, readFile);
    const thread = await findProviderThread(db.query, userId, created);
    const call = { target, model, settings, messages, summary, userId, thread };
    const stream = (until: AbortSignal) => {
      learned.calledAt = performance.now();
      return endpoint.provider(call, until);
    };
    const metered = billing.meter(chargeableOf(db.query, ask), reserved, stream, signal);
    yield* capturingProviderThread(metered, (thread) => (learned.thread = thread));
  }
}

interface PlannedPrompt {
  plan: Fitting;
  files: FilesShown;
  attachments: AttachmentRules;
}

/** As much of the branch as fits, with its files. Waits for those that are still being indexed. */
async function* planPrompt(
  { db, readFile, retrieval, timings }: Pick<RunDeps, 'db' | 'readFile' | 'retrieval' | 'timings'>,
  { userId, endpoint, model, metadata, input, assistant }: Ask,
  { created: { convo, request, reply } }: AskResult,
  signal: AbortSignal,
): AsyncGenerator<Delta, PlannedPrompt> {
  const last = textOf(reply) === '' ? withKnowledge(request, assistant) : reply;
  const source = branchAbove(db.query, userId, last.parentMessageId);
  const limits = contextLimitsOf(endpoint, model, convo.settings, metadata);
  const branch = lineUpFrom(source, last);
  const asked = await filesOfBranch(branch, { resends: limits.attachments.resends, windowTokens: limits.window });
  const preparing = {
    query: db.query,
    userId,
    textOf: textReader(userId, readFile),
    find: (ask: Omit<Finding, 'userId'>) => retrieval.find({ ...ask, userId }, signal),
    pagesOf: (fileId: string) => retrieval.pagesOf(userId, fileId, signal),
    wake: retrieval.wake,
    waitMs: timings.documentWaitMs,
    callId: reply.parts.length === 0 ? `files-${input.generationId}` : null,
  };
  const files = yield* prepareFiles(preparing, { ...asked, ...fileRulesOf(limits) }, signal);
  const { attachments } = withFiles(limits, files.view);
  return { plan: await readHistory(source, last, { ...limits, attachments }), files, attachments };
}
