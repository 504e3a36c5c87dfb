// The runs of this process. A run is not tied to a socket: it continues without subscribers.
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CreatedEvent, Entry, FinalEvent, GenerationEvent } from '@parley/schema/generation/events';
import { fold } from '@parley/schema/generation/fold';
import type { ProviderThread } from '@parley/schema/chat/provider-thread';
import type { ContextRecord, FinishReason, Message, MessagePart } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import { stoppable, createReplyGuard, type ReplyLimits } from './reply-guard.ts';
import type { CitablePassage, Delta } from './delta.ts';
import { createThoughtTimer, type ThoughtTimer, createEventBuilder } from './event-builder.ts';
import { mergeEntries } from './live-log.ts';
import type { GenerationLog } from './log.ts';
import { cleanJson } from '@parley/schema/clean-text';

export interface Job {
  generationId: string;
  userId: string;
  epoch: number;
  created: CreatedEvent;
  /** What another process has written of this run, which this one goes on with. */
  earlier?: readonly Entry[] | undefined;
  /** Whether the reply begins with a person's text and needs a space before the model's text. */
  isSpaced?: boolean;
  /**
   * Calls the provider, and `onBytes` whenever something of its reply arrives, output or not. Its errors are turned
   * into reasons.
   */
  deltas(signal: AbortSignal, onBytes: () => void): AsyncIterable<Delta>;
  reasonOf(error: unknown): Reason;
  /** Saves the reply, ends the generation and returns the last event; null if another process took it over. */
  save(reply: Message, record: RunRecord): Promise<FinalEvent | null>;
  /** Called at the first output, and at the first one after the model is asked again, with the time since then. */
  onFirstDelta?(sinceAskedMs: number): void;
  /** Called once with how the run ended. */
  onEnd?(outcome: RunOutcome): void;
}

/** Holds what a run has learned beside its reply, to be saved with it. */
export interface RunRecord {
  context: ContextRecord | null;
  /** The passages that the model got, by whose numbers it cites them. */
  passages: readonly CitablePassage[];
  thread: ProviderThread | null;
  /** When the model was asked last, in `performance.now()` time; null before that. */
  askedAt: number | null;
}

/** How a run ended. `handed_over`: nothing was saved here, another process finishes the reply. */
export type RunOutcome = 'complete' | 'stopped' | 'failed' | 'handed_over';

/** In milliseconds. */
export interface Timeouts extends ReplyLimits {
  /** Limits how long saving a reply is retried. */
  saveMs: number;
  /** The first delay between two tries to save; it doubles. */
  saveRetryMs: number;
}

export interface Runs {
  /** Starts a run and returns at once; `created` is in the log by then. */
  start(job: Job): void;
  /** Stops a run of this process and returns its last event; null if it does not run here. */
  stop(generationId: string): Promise<FinalEvent | null>;
  /** Waits up to `ms` for the runs, then leaves the rest to recovery. */
  close(ms: number): Promise<void>;
  size(): number;
}

/** Limits how long a stopped provider or tool may take to end, in milliseconds: tools are given up sooner. */
const STOP_GRACE_MS = 5000;
/** Limits the delay between two tries to save, in milliseconds. */
const LONGEST_SAVE_RETRY_MS = 15_000;

const EMPTY_RECORD: RunRecord = { context: null, passages: [], thread: null, askedAt: null };

export function createRuns(log: GenerationLog, timeouts: Timeouts, onFault: (error: unknown) => void): Runs {
  const running = new Map<string, { controller: AbortController; done: Promise<FinalEvent | null> }>();
  const closing = new AbortController();
  // Every run that waits for the database adds a listener.
  setMaxListeners(0, closing.signal);

  return { start, stop, close, size: () => running.size };

  function start(job: Job): void {
    const controller = new AbortController();
    log.open(job, (ownership) => controller.abort(ownership), job.earlier);
    if (!job.earlier?.length) log.append(job.generationId, job.created);
    const done = run(job, controller).finally(() => running.delete(job.generationId));
    running.set(job.generationId, { controller, done });
  }

  async function stop(generationId: string): Promise<FinalEvent | null> {
    const run = running.get(generationId);
    if (!run) return null;
    run.controller.abort('stop' satisfies AbortCause);
    return run.done;
  }

  async function close(ms: number): Promise<void> {
    const all = () => Promise.all([...running.values()].map((run) => run.done));
    await Promise.race([all(), sleep(ms, undefined, { ref: false })]);
    closing.abort();
    for (const { controller } of running.values()) controller.abort('shutdown' satisfies AbortCause);
    await all();
  }

  async function run(job: Job, controller: AbortController): Promise<FinalEvent | null> {
    const { generationId } = job;
    const { reply, record, finish, failure } = await listen(job, controller, log, timeouts);
    const { signal } = controller;
    const cause = signal.aborted ? (signal.reason as AbortCause) : null;
    if (cause === 'lost' || cause === 'shutdown') {
      if (cause === 'shutdown') await log.drain();
      log.end(generationId, null);
      job.onEnd?.('handed_over');
      return null;
    }
    await log.flushAndFreeze(generationId);
    const result = endedReply({ reply, cause, finish, failure });
    const final = await save(job, result, record);
    log.end(generationId, final);
    if (!final) job.onEnd?.('handed_over');
    else job.onEnd?.(cause === 'stop' ? 'stopped' : final.reply.reason ? 'failed' : 'complete');
    return final;
  }

  /**
   * A database outage must not lose the reply: it stays in memory until it is saved or the process ends. A database
   * that fails for too long must not fill the memory: then the run is left to recovery, which folds its log.
   */
  async function save(job: Job, reply: Message, record: RunRecord): Promise<FinalEvent | null> {
    const end = performance.now() + timeouts.saveMs;
    for (let wait = timeouts.saveRetryMs; ; wait = Math.min(2 * wait, LONGEST_SAVE_RETRY_MS)) {
      try {
        return await job.save(reply, record);
      } catch (error) {
        if (wait === timeouts.saveRetryMs) onFault(error);
        if (closing.signal.aborted) return null;
        if (performance.now() + wait > end) {
          onFault(
            new Error(`the reply of generation ${job.generationId} could not be saved and is left to be settled`),
          );
          return null;
        }
        await sleep(wait, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
  }
}

function foldEntries(reply: Message, entries: readonly Entry[]): Message {
  return entries.reduce((told, { event }) => (event.type === 'created' ? told : fold(told, event)), reply);
}

/** Writes what the provider sends to the log, to its end, a fault or a limit. */
async function listen(job: Job, controller: AbortController, log: GenerationLog, timeouts: Timeouts) {
  const events = job.earlier
    ? createEventBuilder(foldEntries(job.created.reply, job.earlier).parts, false, true)
    : createEventBuilder(job.created.reply.parts, job.isSpaced);
  const guard = createReplyGuard(timeouts, (cause) => controller.abort(cause satisfies AbortCause));
  let thoughts = null as ThoughtTimer | null;
  let record = EMPTY_RECORD;
  let finish: FinishReason | null = null;
  let failure: Reason | null = null;
  let hasBegun = false;
  try {
    const deltas = job.deltas(controller.signal, guard.alive);
    for await (const delta of stoppable(deltas, controller.signal, STOP_GRACE_MS)) {
      note(delta);
      append(events.add(delta));
      if (guard.reason) break;
    }
  } catch (error) {
    failure = job.reasonOf(error);
  } finally {
    guard.end();
  }
  append(events.flush());
  const ended = thoughts?.end();
  if (ended) log.append(job.generationId, ended);
  // The reply is what its readers have folded.
  let { reply } = job.created;
  try {
    for (const { event } of mergeEntries(log.find(job.generationId)?.entries ?? [])) reply = fold(reply, event);
  } catch (error) {
    failure ??= job.reasonOf(error);
  }
  return { reply, record, finish, failure: guard.reason ?? failure };

  function note(delta: Delta): void {
    if (delta.type === 'finish') finish = delta.reason;
    if (delta.type === 'thread') record = { ...record, thread: delta.thread };
    if (delta.type === 'context') record = { ...record, context: delta.context, passages: delta.passages };
    if (delta.type === 'asked' || delta.type === 'asking') record = { ...record, askedAt: performance.now() };
    if (delta.type === 'asking') {
      guard.output(timeouts.firstTokenMs);
      hasBegun = false;
    } else if (!BESIDE_OUTPUT.has(delta.type)) {
      guard.output();
      if (!hasBegun && record.askedAt !== null) job.onFirstDelta?.(performance.now() - record.askedAt);
      hasBegun = true;
    }
  }

  function append(event: GenerationEvent | null): void {
    if (!event) return;
    if (event.type === 'reasoning') thoughts ??= createThoughtTimer();
    const ended = thoughts?.endedBy(event);
    if (ended) log.append(job.generationId, ended);
    guard.add(event);
    log.append(job.generationId, event);
  }
}

/** What is no output. Some providers report usage before they think. */
const BESIDE_OUTPUT = new Set<Delta['type']>(['usage', 'context', 'asked']);

/**
 * Why a run was ended from outside; `stall` and `cut` have their reason as a failure. `shutdown` and `lost` save
 * nothing: another process finishes the reply.
 */
export type AbortCause = 'stop' | 'stall' | 'cut' | 'shutdown' | 'lost';

export interface RunEnd {
  reply: Message;
  cause: AbortCause | null;
  finish: FinishReason | null;
  failure: Reason | null;
}

/** Gives the reply to save: its end state, and the reason if it failed. Received text is always kept. */
export function endedReply(ended: RunEnd): Message {
  // It may quote a provider.
  const reason = cleanJson(reasonOf(ended));
  const stopped = ended.cause === 'stop' || reason !== null;
  return {
    ...ended.reply,
    unfinished: false,
    reason,
    finishReason: stopped ? 'incomplete' : ended.finish,
  };
}

function reasonOf({ reply, cause, finish, failure }: RunEnd): Reason | null {
  if (cause === 'stop') return null;
  if (cause === 'stall') return failure;
  // After a finish reason the reply is complete, however the connection ends.
  if (failure && finish === null) return failure;
  // A stream without a finish reason was cut off: every provider sends one.
  if (finish === null) return { type: 'provider_broke_off' };
  if (reply.parts.some(isReplyEnd)) return null;
  return finish === 'content_filter' ? { type: 'content_filtered' } : { type: 'empty_answer' };
}

/**
 * Reasoning is none, and neither is what only precedes a reply: a search in attached files, a tool that is missing.
 */
function isReplyEnd(part: MessagePart): boolean {
  if (part.type === 'text') return part.text !== '';
  if (part.type !== 'tool_call') return part.type !== 'reasoning';
  const { kind, step, state } = part.call;
  return step !== undefined || (kind !== 'retrieval' && state === undefined);
}
