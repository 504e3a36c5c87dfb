// Writes the new events of all generations to the store, many in one statement, and renews their leases.
import { compactEntries, entriesAfter, mergeEntries, type RunningLog } from './live-log.ts';
import type { Batch, LogStore, Ownership } from './log-store.ts';

/**
 * How often new events are flushed to the store: less often with more generations, because a row costs the same for one
 * token or four. A killed process loses at most this plus one write's time, 250 ms together.
 */
const WRITE_EVERY_MS = 100;
const WRITE_EVERY_MAX_MS = 180;
const MS_PER_GENERATION = 2;
/** Sets the least pause between two writes in milliseconds, even when the store is slow. */
const PAUSE_MS = 20;
/** Delay between retries while the store fails. */
const RETRY_MS = 500;
/** After this many written entries of a generation, all but the newest are merged into large pieces. */
const COMPACT_EVERY = 48;
const NEWEST_KEPT = 16;

export interface LogWriter {
  /** Goes on writing every so often, until no generation runs. */
  start(): void;
  /** Writes what is new now. Resolves to whether the store took it. */
  write(): Promise<boolean>;
  /** Writes what a generation still has; after that only its lease is renewed. */
  flushAndFreeze(generationId: string): Promise<void>;
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

  return { start, write, flushAndFreeze, close };

  function start(ms = WRITE_EVERY_MS): void {
    timer ??= setTimeout(() => void tick(), ms);
  }

  async function tick(): Promise<void> {
    const began = performance.now();
    const isTaken = await write();
    timer = null;
    const every = Math.min(WRITE_EVERY_MAX_MS, WRITE_EVERY_MS + (running.size - 1) * MS_PER_GENERATION);
    const rest = Math.max(PAUSE_MS, every - (performance.now() - began));
    if (running.size > 0) start(isTaken ? rest : RETRY_MS);
  }

  /** One write at a time, since two would find the same unwritten entries; callers meanwhile share the next one. */
  function write(): Promise<boolean> {
    nextWrite ??= writing.then(async () => {
      nextWrite = null;
      const batches = Array.from(running, unstoredBatch);
      try {
        if (batches.length > 0) await writeSplitting(batches);
        return true;
      } catch (error) {
        onFault(error);
        return false;
      }
    });
    writing = nextWrite;
    return nextWrite;
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

  async function flushAndFreeze(generationId: string): Promise<void> {
    const log = running.get(generationId);
    if (!log) return;
    // The transaction that saves the reply may take time: if the process dies in it, the last words must be in the log.
    if (log.writtenSeq < log.seq) await write();
    // Unwritten entries are retried: if a reply cannot be saved, its log is all that is left of it.
    log.isFrozen = log.writtenSeq === log.seq;
    await writing;
  }

  async function close(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    await write();
  }
}

/** What the store does not have yet. A frozen log only renews its lease. */
function unstoredBatch([generationId, log]: [string, RunningLog]): Batch {
  if (log.isFrozen) return { generationId, epoch: log.epoch, entries: [] };
  const entries = mergeEntries(entriesAfter(log.entries, log.writtenSeq));
  log.batchedAt ??= log.appendedAt;
  log.appendedAt = undefined;
  return { generationId, epoch: log.epoch, entries, since: log.batchedAt };
}

/** Marks the batch's entries as stored, and passes on that the run must stop or is no longer ours. */
function markWritten(log: RunningLog, { entries }: Batch, ownership: Ownership): void {
  const last = entries.at(-1)?.seq ?? log.writtenSeq;
  // Replaces the many deltas in memory by the merged entries just written: the same rows as in the store.
  log.entries.splice(log.writtenCount, last - log.writtenSeq, ...entries);
  log.writtenSeq = last;
  log.batchedAt = undefined;
  log.writtenCount += entries.length;
  const older = log.writtenCount - NEWEST_KEPT;
  // The newest stay, where subscribers may be; one that is further back receives some text again.
  if (older >= log.compactedCount + COMPACT_EVERY) {
    const compacted = compactEntries(log.entries.slice(0, older));
    log.entries.splice(0, older, ...compacted);
    log.compactedCount = compacted.length;
    log.writtenCount = compacted.length + NEWEST_KEPT;
  }
  if (ownership !== 'ours') log.onOwnership(ownership);
}
