// The generation event log: in memory for subscribers of this process, flushed to PostgreSQL in the background for
// everyone else. A subscriber has only a cursor and a wake-up, never a queue, so a slow one costs no memory and gets
// merged events when it catches up.
import type { GenerationEvent } from '@parley/schema/generation/events';
import type { LogStore } from './log-store.ts';
import { createLogWriter } from './log-writer.ts';
import {
  appendEvent,
  createLiveLog,
  endLog,
  isWritten,
  type LiveLog,
  type OnOwnership,
  type RunningLog,
} from './live-log.ts';

export interface GenerationLog {
  /** Opens a generation's log. Calls `onOwnership` when it must stop or this process no longer owns it. */
  open(generation: Opened, onOwnership: OnOwnership): void;
  append(generationId: string, event: GenerationEvent): void;
  /** Flushes its remaining entries; after that only its lease is renewed. */
  flushAndFreeze(generationId: string): Promise<void>;
  /** Ends the log with its last event, or with none when another process continues it. */
  end(generationId: string, final: GenerationEvent | null): void;
  /** The live log of a generation of this process, or undefined. */
  find(generationId: string): LiveLog | undefined;
  /** The generations that run in this process. */
  runningIds(): string[];
  /** Resolves when the generation is opened here, at the latest after `ms`. */
  opened(generationId: string, ms: number): Promise<void>;
  /** Resolves when everything appended so far is in the store; to false when the store did not take it. */
  drain(): Promise<boolean>;
  /** Flushes the remaining entries and stops the flush timer. */
  close(): Promise<void>;
}

export interface Opened {
  generationId: string;
  userId: string;
  epoch: number;
}

export function createLog(store: LogStore, onFault: (error: unknown) => void): GenerationLog {
  const running = new Map<string, RunningLog>();
  const openings = createOpenings();
  const writer = createLogWriter(running, store, onFault);

  return {
    open,
    append,
    flushAndFreeze,
    end,
    find: (id) => running.get(id),
    runningIds: () => [...running.keys()],
    opened: openings.wait,
    drain: () => writer.write(),
    close: writer.close,
  };

  function open({ generationId, userId, epoch }: Opened, onOwnership: OnOwnership): void {
    running.set(generationId, createLiveLog(userId, epoch, onOwnership));
    writer.start();
    openings.report(generationId);
  }

  function append(generationId: string, event: GenerationEvent): void {
    const log = running.get(generationId);
    if (log && !log.ended) appendEvent(log, event);
  }

  async function flushAndFreeze(generationId: string): Promise<void> {
    const log = running.get(generationId);
    if (!log) return;
    // The transaction that saves the reply may take time: if the process dies in it, the last words must be in the log.
    if (!isWritten(log)) await writer.write();
    // Unwritten entries are retried: if a reply cannot be saved, its log is all that is left of it.
    log.isFrozen = isWritten(log);
    await writer.underWay();
  }

  function end(generationId: string, final: GenerationEvent | null): void {
    const log = running.get(generationId);
    if (!log) return;
    running.delete(generationId);
    endLog(log, final);
  }
}

/** Those who wait for a generation to be opened here. */
function createOpenings() {
  const waiting = new Map<string, Set<() => void>>();
  return {
    wait(generationId: string, ms: number): Promise<void> {
      return new Promise((resolve) => {
        const waiters = waiting.get(generationId) ?? new Set();
        waiting.set(generationId, waiters);
        const done = () => {
          clearTimeout(limit);
          waiters.delete(done);
          if (waiters.size === 0) waiting.delete(generationId);
          resolve();
        };
        const limit = setTimeout(done, ms);
        waiters.add(done);
      });
    },
    report(generationId: string): void {
      for (const wake of waiting.get(generationId) ?? []) wake();
    },
  };
}
