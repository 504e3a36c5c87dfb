// Writes the new events of all generations to the store, many in one statement, and renews their leases.
import type { Batch, LogStore } from './log-store.ts';
import { unstoredBatch, markWritten, type RunningLog } from './live-log.ts';

/**
 * How often new events are flushed to the store: less often with more generations, because a row costs the same for one
 * token or four. A killed process loses at most this plus one write's time, 250 ms together.
 */
const WRITE_EVERY_MS = 100;
const WRITE_EVERY_MAX_MS = 180;
const MS_PER_GENERATION = 2;
/** The least pause between two writes, also when the store is slow. */
const PAUSE_MS = 20;
/** Delay between retries while the store fails. */
const RETRY_MS = 500;

export interface LogWriter {
  /** Goes on writing every so often, until no generation runs. */
  start(): void;
  /** Writes what is new now. Resolves to whether the store took it. */
  write(): Promise<boolean>;
  /** The write under way, or the last one. */
  underWay(): Promise<boolean>;
  /** Writes what is left and stops. */
  close(): Promise<void>;
}

export function createLogWriter(
  running: ReadonlyMap<string, RunningLog>,
  store: LogStore,
  onFault: (error: unknown) => void,
): LogWriter {
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<boolean> = Promise.resolve(true);
  let nextWrite: Promise<boolean> | null = null;

  return { start: () => schedule(WRITE_EVERY_MS), write, underWay: () => writing, close };

  function schedule(ms: number): void {
    timer ??= setTimeout(() => void tick(), ms);
  }

  async function tick(): Promise<void> {
    const began = performance.now();
    const ok = await write();
    timer = null;
    const rest = Math.max(PAUSE_MS, writeEveryMs(running.size) - (performance.now() - began));
    if (running.size > 0) schedule(ok ? rest : RETRY_MS);
  }

  /** One write at a time, since two would find the same unwritten entries; callers meanwhile share the next one. */
  function write(): Promise<boolean> {
    nextWrite ??= writing.then(() => {
      nextWrite = null;
      return writeOnce();
    });
    writing = nextWrite;
    return nextWrite;
  }

  async function writeOnce(): Promise<boolean> {
    const batches = [...running].map(([id, log]) => unstoredBatch(id, log));
    if (batches.length === 0) return true;
    try {
      await writeSplitting(batches);
      return true;
    } catch (error) {
      onFault(error);
      return false;
    }
  }

  /** Halves a failing batch until the one row that cannot be stored is alone: it must not block the others. */
  async function writeSplitting(batches: Batch[]): Promise<void> {
    try {
      const ownerships = await store.write(batches);
      for (const batch of batches) {
        const log = running.get(batch.generationId);
        if (log) markWritten(log, batch, ownerships.get(batch.generationId) ?? 'lost');
      }
    } catch (error) {
      if (batches.length === 1) throw error;
      const middle = Math.ceil(batches.length / 2);
      const results = await Promise.allSettled([
        writeSplitting(batches.slice(0, middle)),
        writeSplitting(batches.slice(middle)),
      ]);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    }
  }

  async function close(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    await write();
  }
}

function writeEveryMs(generations: number): number {
  return Math.min(WRITE_EVERY_MAX_MS, WRITE_EVERY_MS + (generations - 1) * MS_PER_GENERATION);
}
