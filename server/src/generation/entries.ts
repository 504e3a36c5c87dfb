// Functions on lists of event log entries, in order of `seq`.
import type { Entry } from '@parley/schema/generation/events';
import { merge } from '@parley/schema/generation/fold';

/** A merged text this long grows no more: a subscriber slightly behind receives at most this again. */
const CHUNK_CHARS = 8000;

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
