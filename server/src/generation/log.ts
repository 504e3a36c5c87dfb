// The generation event log: in memory for subscribers of this process, flushed to PostgreSQL in the background for
// everyone else. A subscriber has only a cursor and a wake-up, never a queue, so a slow one costs no memory and gets
// merged events when it catches up.
import {
  type GenerationEvent,
  isTextEvent,
  type Entry,
  type PartEvent,
  type TextEvent,
} from '@parley/schema/generation/events';
import { END, type LiveLog, type OnOwnership, type RunningLog, entriesAfter, mergeEntries } from './live-log.ts';
import type { LogStore } from './log-store.ts';
import { createLogWriter } from './log-writer.ts';
import { toolLog } from '@parley/schema/messages/messages';

/** Limits a merged text in characters: each subscriber gets its own copy when it is sent, so it must stay small. */
const MERGED_MAX = 256_000;

export interface GenerationLog {
  /** Opens a generation's log, behind what another process has stored of it. Calls `onOwnership` when it must stop or this process no longer owns it. */
  open(generation: Opened, onOwnership: OnOwnership, earlier?: readonly Entry[]): void;
  append(generationId: string, event: GenerationEvent): void;
  /** Flushes its remaining entries; after that only its lease is renewed. */
  flushAndFreeze(generationId: string): Promise<void>;
  /** Ends the log with its last event, or with none when another process continues it. */
  end(generationId: string, final: GenerationEvent | null): void;
  /** Finds the live log of a generation of this process, or undefined. */
  find(generationId: string): LiveLog | undefined;
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
  /** Those who wait for a generation to be opened here. */
  const awaited = new Map<string, Set<() => void>>();
  const writer = createLogWriter(running, store, onFault);

  return {
    open,
    append,
    flushAndFreeze: writer.flushAndFreeze,
    end,
    find: (id) => running.get(id),
    opened,
    drain: writer.write,
    close: writer.close,
  };

  function open(
    { generationId, userId, epoch }: Opened,
    onOwnership: OnOwnership,
    earlier: readonly Entry[] = [],
  ): void {
    const seq = earlier.at(-1)?.seq ?? 0;
    running.set(generationId, {
      userId,
      epoch,
      onOwnership,
      entries: [...earlier],
      ended: false,
      waiters: new Set(),
      seq,
      writtenSeq: seq,
      writtenCount: earlier.length,
      compactedCount: 0,
      isFrozen: false,
      appendedAt: undefined,
      batchedAt: undefined,
    });
    writer.start();
    for (const wake of awaited.get(generationId) ?? []) wake();
  }

  function append(generationId: string, event: GenerationEvent): void {
    const log = running.get(generationId);
    if (!log || log.ended) return;
    log.seq += 1;
    log.appendedAt ??= performance.now();
    log.entries.push({ seq: log.seq, event });
    for (const wake of log.waiters) wake();
  }

  function end(generationId: string, final: GenerationEvent | null): void {
    const log = running.get(generationId);
    if (!log) return;
    running.delete(generationId);
    if (final) log.entries.push({ seq: END, event: final });
    log.ended = true;
    for (const wake of log.waiters) wake();
  }

  function opened(generationId: string, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const waiters = awaited.get(generationId) ?? new Set();
      awaited.set(generationId, waiters);
      const done = () => {
        clearTimeout(limit);
        waiters.delete(done);
        if (waiters.size === 0) awaited.delete(generationId);
        resolve();
      };
      const limit = setTimeout(done, ms);
      waiters.add(done);
    });
  }
}

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
