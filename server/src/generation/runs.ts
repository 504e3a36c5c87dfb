// The runs of this process. A run belongs to nobody's socket: it goes on without anyone listening.
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CreatedEvent, FinalEvent } from '@parley/schema/events';
import { fold } from '@parley/schema/fold';
import type { FinishReason, Message } from '@parley/schema/messages';
import type { Reason } from '@parley/schema/reasons';
import type { Delta } from './delta.ts';
import { createDeltaReader } from './deltas.ts';
import type { GenerationLog } from './log.ts';
import { outcomeOf, type Ending } from './outcome.ts';

export interface Job {
  generationId: string;
  userId: string;
  epoch: number;
  created: CreatedEvent;
  /** Whether the reply begins with a person's words, which a space parts from what is written after them. */
  isSpaced?: boolean;
  /** Asks the provider. What it throws is turned into a reason. */
  deltas(signal: AbortSignal): AsyncIterable<Delta>;
  reasonOf(error: unknown): Reason;
  /** Saves the reply, ends the generation and gives the last event; null if another process took it over. */
  save(reply: Message): Promise<FinalEvent | null>;
}

/** In milliseconds. */
export interface Patience {
  /** How long a provider may be silent before its first word, */
  firstMs: number;
  /** and between two. */
  nextMs: number;
  /** How long the database may fail to save a reply. */
  saveMs: number;
}

export interface Runs {
  /** Starts a run and returns at once; `created` is in the log by then. */
  start(job: Job): void;
  /** Stops a run of this process and gives its last event; null if it is not here. */
  stop(generationId: string): Promise<FinalEvent | null>;
  /** Waits for the runs for at most `ms`, then leaves the rest to whoever settles them. */
  close(ms: number): Promise<void>;
  size(): number;
}

/** The first wait between two tries to save; it doubles up to the longest. Milliseconds. */
const FIRST_SAVE_RETRY_MS = 1000;
const LONGEST_SAVE_RETRY_MS = 15_000;

export function createRuns(log: GenerationLog, patience: Patience, onFault: (error: unknown) => void): Runs {
  const running = new Map<string, { controller: AbortController; done: Promise<FinalEvent | null> }>();
  const closing = new AbortController();
  // Every run that waits for the database listens.
  setMaxListeners(0, closing.signal);

  return { start, stop, close, size: () => running.size };

  function start(job: Job): void {
    const controller = new AbortController();
    log.open(job, (standing) => controller.abort(standing));
    log.append(job.generationId, job.created);
    const done = run(job, controller).finally(() => running.delete(job.generationId));
    running.set(job.generationId, { controller, done });
  }

  async function stop(generationId: string): Promise<FinalEvent | null> {
    const run = running.get(generationId);
    if (!run) return null;
    run.controller.abort('stop' satisfies Ending);
    return run.done;
  }

  async function close(ms: number): Promise<void> {
    const all = () => Promise.all([...running.values()].map((run) => run.done));
    await Promise.race([all(), sleep(ms, undefined, { ref: false })]);
    closing.abort();
    for (const { controller } of running.values()) controller.abort('shutdown' satisfies Ending);
    await all();
  }

  async function run(job: Job, controller: AbortController): Promise<FinalEvent | null> {
    const { generationId } = job;
    const { reply, finish, failure, silentMs } = await listen(job, controller);
    const ending = endingOf(controller.signal);
    if (ending === 'lost' || ending === 'shutdown') {
      if (ending === 'shutdown') await log.drain();
      log.end(generationId, null);
      return null;
    }
    await log.seal(generationId);
    const outcome = outcomeOf({ reply, ending, finish, failure, patience: Math.round(silentMs / 1000) });
    const final = await save(job, outcome);
    log.end(generationId, final);
    return final;
  }

  async function listen(job: Job, controller: AbortController) {
    const reader = createDeltaReader(job.created.reply.parts, job.isSpaced);
    let reply = job.created.reply;
    let finish: FinishReason | null = null;
    let failure: Reason | null = null;
    let silentMs = 0;
    const silence = createSilence((ms) => {
      silentMs = ms;
      controller.abort('stall' satisfies Ending);
    }, patience);
    try {
      for await (const delta of job.deltas(controller.signal)) {
        // A count of tokens is no word: some tell it before they think.
        if (delta.type !== 'usage') silence.broken();
        if (delta.type === 'finish') finish = delta.reason;
        tell(reader.read(delta));
      }
    } catch (error) {
      failure = job.reasonOf(error);
    } finally {
      silence.end();
    }
    tell(reader.rest());
    return { reply, finish, failure, silentMs };

    function tell(event: ReturnType<typeof reader.read>): void {
      if (!event) return;
      reply = fold(reply, event);
      log.append(job.generationId, event);
    }
  }

  /**
   * A database that is away must not cost the answer: it stays in memory until it can be saved, or the process ends. One
   * that refuses it for too long must not cost the memory: the run is left to whoever settles it from its log.
   */
  async function save(job: Job, reply: Message): Promise<FinalEvent | null> {
    const end = performance.now() + patience.saveMs;
    for (let wait = FIRST_SAVE_RETRY_MS; ; wait = Math.min(2 * wait, LONGEST_SAVE_RETRY_MS)) {
      try {
        return await job.save(reply);
      } catch (error) {
        if (wait === FIRST_SAVE_RETRY_MS) onFault(error);
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

/** A process that was away itself (a machine asleep, a crowded one) first hears what was said meanwhile. */
const DOUBT_MS = 100;

/**
 * Calls `onTooLong` with how long was waited when nothing was heard for too long: first for the first word of this run,
 * whatever its reply had before, then between two.
 */
function createSilence(onTooLong: (ms: number) => void, { firstMs, nextMs }: Patience) {
  let patienceMs = firstMs;
  let timer = setTimeout(doubt, patienceMs);
  let isListening = false;
  return {
    broken(): void {
      if (isListening) {
        timer.refresh();
        return;
      }
      isListening = true;
      patienceMs = nextMs;
      clearTimeout(timer);
      timer = setTimeout(doubt, patienceMs);
    },
    end: () => clearTimeout(timer),
  };

  function doubt(): void {
    isListening = false;
    timer = setTimeout(() => onTooLong(patienceMs), DOUBT_MS);
  }
}

function endingOf(signal: AbortSignal): Ending | null {
  return signal.aborted ? (signal.reason as Ending) : null;
}
