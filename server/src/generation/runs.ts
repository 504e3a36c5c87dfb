// The runs of this process. A run is not tied to a socket: it continues without subscribers.
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CreatedEvent, FinalEvent } from '@parley/schema/generation/events';
import type { ProviderThread } from '@parley/schema/chat/provider-thread';
import type { ContextRecord, FinishReason, Message } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import { createThoughtTimer, type ThoughtTimer } from './thought-timer.ts';
import { createReplyCap, type ReplyLimits } from './reply-cap.ts';
import { stoppable } from './stoppable.ts';
import type { CitablePassage, Delta } from './delta.ts';
import { createEventBuilder } from './event-builder.ts';
import { createIdleTimer, type IdleLimits } from './idle-timer.ts';
import type { GenerationLog } from './log.ts';
import { createReplyBuilder } from './reply-builder.ts';
import { endedReply, type AbortCause } from './result.ts';

export interface Job {
  generationId: string;
  userId: string;
  epoch: number;
  created: CreatedEvent;
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

/** What a run has learned beside its reply, to be saved with it. */
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
export interface Timeouts extends ReplyLimits, IdleLimits {
  /** How long saving a reply is retried. */
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

/** How long a provider or a tool that was stopped may take to end, in milliseconds: tools are given up sooner. */
const STOP_GRACE_MS = 5000;
/** The longest delay between two tries to save, in milliseconds. */
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
    log.open(job, (ownership) => controller.abort(ownership));
    log.append(job.generationId, job.created);
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
    const { reply, record, finish, failure, silentMs } = await listen(job, controller, log, timeouts);
    const { signal } = controller;
    const cause = signal.aborted ? (signal.reason as AbortCause) : null;
    if (cause === 'lost' || cause === 'shutdown') {
      if (cause === 'shutdown') await log.drain();
      log.end(generationId, null);
      job.onEnd?.('handed_over');
      return null;
    }
    await log.flushAndFreeze(generationId);
    const result = endedReply({ reply, cause, finish, failure, silentSeconds: Math.round(silentMs / 1000) });
    const final = await save(job, result, record);
    log.end(generationId, final);
    job.onEnd?.(outcomeOf(final, cause));
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

/** Writes what the provider sends to the log, to its end, a fault or a limit. */
async function listen(job: Job, controller: AbortController, log: GenerationLog, timeouts: Timeouts) {
  const events = createEventBuilder(job.created.reply.parts, job.isSpaced);
  const builder = createReplyBuilder(job.created.reply);
  let thoughts = null as ThoughtTimer | null;
  let record = EMPTY_RECORD;
  let finish: FinishReason | null = null;
  let failure: Reason | null = null;
  let silentMs = 0;
  let hasBegun = false;
  const idleTimer = createIdleTimer((ms) => {
    silentMs = ms;
    controller.abort('stall' satisfies AbortCause);
  }, timeouts);
  const cap = createReplyCap(timeouts, () => controller.abort('cut' satisfies AbortCause));
  try {
    const deltas = job.deltas(controller.signal, idleTimer.alive);
    for await (const delta of stoppable(deltas, controller.signal, STOP_GRACE_MS)) {
      record = foldRecord(record, delta);
      if (delta.type === 'asking') {
        idleTimer.restart();
        hasBegun = false;
      } else if (isOutput(delta)) {
        idleTimer.reset();
        if (!hasBegun && record.askedAt !== null) job.onFirstDelta?.(performance.now() - record.askedAt);
        hasBegun = true;
      }
      if (delta.type === 'finish') finish = delta.reason;
      append(events.add(delta));
      if (cap.reached()) break;
    }
  } catch (error) {
    failure = job.reasonOf(error);
  } finally {
    idleTimer.end();
    cap.end();
  }
  append(events.flush());
  if (thoughts) write(thoughts.end());
  return { reply: builder.reply(), record, finish, failure: cap.reached() ?? failure, silentMs };

  function append(event: ReturnType<typeof events.add>): void {
    if (!event) return;
    if (event.type === 'reasoning') thoughts ??= createThoughtTimer();
    if (thoughts) write(thoughts.endedBy(event));
    write(event);
  }

  function write(event: ReturnType<typeof events.add>): void {
    if (!event) return;
    builder.add(event);
    cap.add(event);
    log.append(job.generationId, event);
  }
}

function foldRecord(record: RunRecord, delta: Delta): RunRecord {
  switch (delta.type) {
    case 'context':
      return { ...record, context: delta.context, passages: delta.passages };
    case 'thread':
      return { ...record, thread: delta.thread };
    case 'asking':
    case 'asked':
      return { ...record, askedAt: performance.now() };
    default:
      return record;
  }
}

/** Usage does not count: some providers report it before they think. */
function isOutput({ type }: Delta): boolean {
  return type !== 'usage' && type !== 'context' && type !== 'asked';
}

function outcomeOf(final: FinalEvent | null, cause: AbortCause | null): RunOutcome {
  if (!final) return 'handed_over';
  if (cause === 'stop') return 'stopped';
  return final.reply.reason ? 'failed' : 'complete';
}
