// The events of one generation of this process, and how many of them the store has.
import type { Entry, GenerationEvent } from '@parley/schema/generation/events';
import { compactEntries, entriesAfter, mergeEntries } from './entries.ts';
import type { Batch, Ownership } from './log-store.ts';

/** After this many written entries of a generation, all but the newest are merged into large pieces. */
const COMPACT_EVERY = 48;
const NEWEST_KEPT = 16;
/** The `seq` of every `final`: nothing comes after it. */
export const END = 2_147_483_647;

export interface LiveLog {
  userId: string;
  entries: Entry[];
  ended: boolean;
  /** Called once at the next append or end. */
  waiters: Set<() => void>;
}

export type OnOwnership = (ownership: 'stop' | 'lost') => void;

export interface RunningLog extends LiveLog {
  epoch: number;
  seq: number;
  /** Entries up to this seq are in the store. */
  writtenSeq: number;
  /** The number of those entries. */
  writtenCount: number;
  /** The number of entries at which they are compacted. */
  compactFrom: number;
  isFrozen: boolean;
  /** When the oldest entry that is in no batch yet was appended. */
  appendedAt: number | undefined;
  /** When the oldest entry of a batch that is not in the store yet was appended. */
  batchedAt: number | undefined;
  onOwnership: OnOwnership;
}

export function createLiveLog(userId: string, epoch: number, onOwnership: OnOwnership): RunningLog {
  return {
    userId,
    epoch,
    onOwnership,
    entries: [],
    ended: false,
    waiters: new Set(),
    seq: 0,
    writtenSeq: 0,
    writtenCount: 0,
    compactFrom: COMPACT_EVERY + NEWEST_KEPT,
    isFrozen: false,
    appendedAt: undefined,
    batchedAt: undefined,
  };
}

export function appendEvent(log: RunningLog, event: GenerationEvent): void {
  log.seq += 1;
  log.appendedAt ??= performance.now();
  log.entries.push({ seq: log.seq, event });
  wakeReaders(log);
}

/** Ends the log with its last event, or with none when another process continues it. */
export function endLog(log: RunningLog, final: GenerationEvent | null): void {
  if (final) log.entries.push({ seq: END, event: final });
  log.ended = true;
  wakeReaders(log);
}

export function isWritten(log: RunningLog): boolean {
  return entriesAfter(log.entries, log.writtenSeq).length === 0;
}

/** What the store does not have yet. A frozen log only renews its lease. */
export function unstoredBatch(generationId: string, log: RunningLog): Batch {
  if (log.isFrozen) return { generationId, epoch: log.epoch, entries: [] };
  const entries = mergeEntries(entriesAfter(log.entries, log.writtenSeq));
  log.batchedAt ??= log.appendedAt;
  log.appendedAt = undefined;
  return { generationId, epoch: log.epoch, entries, since: log.batchedAt };
}

/** Marks the batch's entries as stored, and passes on that the run must stop or is no longer ours. */
export function markWritten(log: RunningLog, { entries }: Batch, ownership: Ownership): void {
  const last = entries.at(-1)?.seq ?? log.writtenSeq;
  // Replaces the many deltas in memory by the merged entries just written: the same rows as in the store.
  log.entries.splice(log.writtenCount, last - log.writtenSeq, ...entries);
  log.writtenSeq = last;
  log.batchedAt = undefined;
  log.writtenCount += entries.length;
  compact(log);
  if (ownership !== 'ours') log.onOwnership(ownership);
}

/** Keeps the newest entries, where subscribers may be; one that is further back receives some text again. */
function compact(log: RunningLog): void {
  if (log.writtenCount < log.compactFrom) return;
  const older = log.writtenCount - NEWEST_KEPT;
  const compacted = compactEntries(log.entries.slice(0, older));
  log.entries.splice(0, older, ...compacted);
  log.writtenCount += compacted.length - older;
  log.compactFrom = log.writtenCount + COMPACT_EVERY;
}

function wakeReaders(log: LiveLog): void {
  const waiters = [...log.waiters];
  log.waiters.clear();
  for (const wake of waiters) wake();
}
