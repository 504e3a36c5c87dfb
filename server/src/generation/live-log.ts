// The events of one generation of this process, and how many of them the store has.
import type { Entry } from '@parley/schema/generation/events';
import { merge } from '@parley/schema/generation/fold';

/** A merged text this long grows no more: a subscriber slightly behind receives at most this again. */
const CHUNK_CHARS = 8000;

/** Is the `seq` of every `final`: nothing comes after it. */
export const END = 2_147_483_647;

export interface LiveLog {
  userId: string;
  entries: Entry[];
  ended: boolean;
  /** Called at the next append or end. Each removes itself. */
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
  /** The number of compacted entries. */
  compactedCount: number;
  isFrozen: boolean;
  /** When the oldest entry that is in no batch yet was appended. */
  appendedAt: number | undefined;
  /** When the oldest entry of a batch that is not in the store yet was appended. */
  batchedAt: number | undefined;
  onOwnership: OnOwnership;
}

// Functions on lists of event log entries, in order of `seq`.

/** Finds the entries after `seq`. Searches from the end: subscribers are rarely far behind. */
export function entriesAfter(entries: readonly Entry[], seq: number): Entry[] {
  let from = entries.length;
  while (from > 0 && (entries[from - 1]?.seq ?? 0) > seq) from -= 1;
  return entries.slice(from);
}

/** Merges neighboring text events into one, under the last one's seq. */
export function mergeEntries(entries: readonly Entry[], maxChars = Infinity): Entry[] {
  const merged: Entry[] = [];
  for (const entry of entries) {
    const last = merged.at(-1);
    const isFull = last && 'text' in last.event && last.event.text.length >= maxChars;
    const event = last && !isFull ? merge(last.event, entry.event) : null;
    if (event) merged[merged.length - 1] = { seq: entry.seq, event };
    else merged.push(entry);
  }
  return merged;
}

/**
 * Merges the entries into large pieces, so that a long reply has few of them. Reading a character makes V8 flatten a
 * text, which after many `+` is a tree of several times its memory.
 */
export function compactEntries(entries: readonly Entry[]): Entry[] {
  const compact = mergeEntries(entries, CHUNK_CHARS);
  for (const { event } of compact) if ('text' in event) event.text.charCodeAt(0);
  return compact;
}
