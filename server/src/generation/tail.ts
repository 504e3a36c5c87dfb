import { isTextEvent, type Entry, type PartEvent, type TextEvent } from '@parley/schema/generation/events';
import { toolLog } from '@parley/schema/messages/messages';
import { entriesAfter, mergeEntries } from './entries.ts';
import type { LiveLog } from './live-log.ts';

/** Limits a merged text in characters: each subscriber gets its own copy when it is sent, so it must stay small. */
const MERGED_MAX = 256_000;

/**
 * Yields everything after `afterSeq`, then each new event, until the log ends or the subscriber leaves. Neighboring
 * text that arrived while the subscriber was busy is merged into one event; nothing is queued.
 */
export async function* tail(log: LiveLog, afterSeq: number, signal: AbortSignal): AsyncGenerator<Entry, void> {
  const delivered = new Map<string, number>();
  // A cursor ahead of the log belongs to another log: start from the beginning so that nothing is skipped.
  let cursor = afterSeq > (log.entries.at(-1)?.seq ?? 0) ? 0 : afterSeq;
  while (!signal.aborted) {
    for (const entry of mergeEntries(entriesAfter(log.entries, cursor), MERGED_MAX)) {
      const fresh = dropDelivered(entry, delivered);
      if (fresh) yield fresh;
      cursor = entry.seq;
    }
    const isRead = (log.entries.at(-1)?.seq ?? 0) <= cursor;
    if (isRead && log.ended) return;
    if (isRead) await nextChange(log, signal);
  }
}

/** A written batch may start before the cursor: cut off what this subscriber has already received. */
function dropDelivered(entry: Entry, delivered: Map<string, number>): Entry | null {
  const { event } = entry;
  if (event.type === 'part') noteReplaced(event, delivered);
  if (!isTextEvent(event)) return entry;
  const position = `${event.part} ${event.type}`;
  const end = event.offset + event.text.length;
  const from = Math.max(event.offset, delivered.get(position) ?? 0);
  delivered.set(position, Math.max(end, from));
  if (from === event.offset) return entry;
  if (from >= end && event.tookMs === undefined) return null;
  const rest: TextEvent = { ...event, offset: from, text: event.text.slice(from - event.offset) };
  return { seq: entry.seq, event: rest };
}

/** Replaced text continues from its new end. */
function noteReplaced({ part, value, keeps }: PartEvent, delivered: Map<string, number>): void {
  if (value.type === 'text') delivered.set(`${part} text`, value.text.length);
  if (value.type !== 'tool_call') return;
  if (!keeps) delivered.set(`${part} input`, value.call.input.length);
  delivered.set(`${part} log`, toolLog(value.call).length);
}

function nextChange(log: LiveLog, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      log.waiters.delete(done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    log.waiters.add(done);
    signal.addEventListener('abort', done, { once: true });
  });
}
