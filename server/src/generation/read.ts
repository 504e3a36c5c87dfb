import type { Entry, TextEvent } from '@parley/schema/events';
import { isLast } from '@parley/schema/fold';
import { END, entriesAfter, mergeEntries, type LiveLog } from './log.ts';

/**
 * Everything after `afterSeq`, then whatever comes, until the log ends or the reader leaves. Neighbouring text that
 * gathered while the reader was busy arrives as one event; nothing is queued for it.
 */
export async function* readLive(log: LiveLog, afterSeq: number, signal: AbortSignal): AsyncGenerator<Entry, void> {
  const told = new Map<number, number>();
  // A cursor ahead of the log is none of this log's: what it would skip was never told.
  let cursor = afterSeq > (log.entries.at(-1)?.seq ?? 0) ? 0 : afterSeq;
  while (!signal.aborted) {
    for (const entry of mergeEntries(entriesAfter(log.entries, cursor))) {
      const fresh = withoutTold(entry, told);
      if (fresh) yield fresh;
      cursor = entry.seq;
      if (isLast(entry.event)) return;
    }
    if (log.ended && (log.entries.at(-1)?.seq ?? END) <= cursor) return;
    if ((log.entries.at(-1)?.seq ?? 0) <= cursor) await nextRing(log, signal);
  }
}

/** A written batch may reach back before the cursor: what this reader was told already is cut off. */
function withoutTold(entry: Entry, told: Map<number, number>): Entry | null {
  const { event } = entry;
  // A text that was replaced goes on from its new end.
  if (event.type === 'part' && event.value.type === 'text') told.set(event.part, event.value.text.length);
  if (event.type !== 'text' && event.type !== 'reasoning') return entry;
  const end = event.offset + event.text.length;
  const from = Math.max(event.offset, told.get(event.part) ?? 0);
  told.set(event.part, Math.max(end, from));
  if (from === event.offset) return entry;
  if (from >= end) return null;
  const rest: TextEvent = { ...event, offset: from, text: event.text.slice(from - event.offset) };
  return { seq: entry.seq, event: rest };
}

function nextRing(log: LiveLog, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      log.bells.delete(done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    log.bells.add(done);
    signal.addEventListener('abort', done, { once: true });
  });
}
