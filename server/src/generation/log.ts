// The generation log: memory for the living, written behind to PostgreSQL for everyone else. A reader is a cursor and
// a bell, never a queue, so a slow one costs nothing and gets merged events when it comes back.
import type { Entry, GenerationEvent } from '@parley/schema/events';
import { merge } from '@parley/schema/fold';

/** How often new events are written to the store. A killed process loses at most this and one write's time. */
const WRITE_EVERY_MS = 100;
/** A store that needs longer than that for a write is left alone for a moment between two. */
const PAUSE_MS = 20;
/** Waits between tries while the store fails. */
const RETRY_MS = 500;

/** The `seq` of every `final`: nothing comes after it. */
export const END = 2_147_483_647;

/** New events of one generation, neighbouring text merged. Empty while it only renews its lease. */
export interface Batch {
  generationId: string;
  epoch: number;
  entries: Entry[];
}

/** What the store says of a generation it was asked to write. `lost`: its lease ended or another process took it over. */
export type Standing = 'ours' | 'stop' | 'lost';

export interface LogStore {
  /** Writes all batches or none, renews their leases, and tells how each generation stands. */
  write(batches: Batch[]): Promise<Map<string, Standing>>;
}

export interface GenerationLog {
  /** Begins a generation's log. `onStanding` hears when it is to stop or is ours no longer. */
  open(generation: Opened, onStanding: OnStanding): void;
  append(generationId: string, event: GenerationEvent): void;
  /** Writes what is unwritten of it; once that is done only its lease is renewed. */
  seal(generationId: string): Promise<void>;
  /** Ends the log with its last event, or with none when it goes on elsewhere. */
  end(generationId: string, final: GenerationEvent | null): void;
  /** The live log of a generation of this process, or undefined. */
  find(generationId: string): LiveLog | undefined;
  /** The generations that are being written here. */
  living(): string[];
  /** Resolves when the generation is opened here, at the latest after `ms`. */
  opened(generationId: string, ms: number): Promise<void>;
  /** Resolves when everything appended so far is in the store. */
  drain(): Promise<void>;
  /** Writes what is unwritten and stops the clock. */
  close(): Promise<void>;
}

export interface Opened {
  generationId: string;
  userId: string;
  epoch: number;
}

type OnStanding = (standing: 'stop' | 'lost') => void;

export interface LiveLog {
  userId: string;
  entries: Entry[];
  ended: boolean;
  /** Called once at the next append or end. */
  bells: Set<() => void>;
}

interface Running extends LiveLog {
  epoch: number;
  seq: number;
  /** Entries up to this seq are in the store. */
  writtenSeq: number;
  sealed: boolean;
  onStanding: OnStanding;
}

export function createLog(store: LogStore, onFault: (error: unknown) => void): GenerationLog {
  const running = new Map<string, Running>();
  const openings = new Map<string, Set<() => void>>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<boolean> = Promise.resolve(true);
  let nextWrite: Promise<boolean> | null = null;

  return {
    open,
    append,
    seal,
    end,
    find: (id) => running.get(id),
    living: () => [...running.keys()],
    opened,
    drain,
    close,
  };

  function open({ generationId, userId, epoch }: Opened, onStanding: OnStanding): void {
    const start = { entries: [], ended: false, bells: new Set<() => void>(), seq: 0, writtenSeq: 0, sealed: false };
    running.set(generationId, { ...start, userId, epoch, onStanding });
    schedule(WRITE_EVERY_MS);
    for (const bell of openings.get(generationId) ?? []) bell();
  }

  function opened(generationId: string, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const bells = openings.get(generationId) ?? new Set();
      openings.set(generationId, bells);
      const done = () => {
        clearTimeout(limit);
        bells.delete(done);
        if (bells.size === 0) openings.delete(generationId);
        resolve();
      };
      const limit = setTimeout(done, ms);
      bells.add(done);
    });
  }

  function append(generationId: string, event: GenerationEvent): void {
    const log = running.get(generationId);
    if (!log || log.ended) return;
    log.seq += 1;
    log.entries.push({ seq: log.seq, event });
    ring(log);
  }

  async function seal(generationId: string): Promise<void> {
    const log = running.get(generationId);
    if (!log) return;
    // The reply's own transaction may take its time: a process that dies in it must not take the last words along.
    if (entriesAfter(log.entries, log.writtenSeq).length > 0) await write();
    // What could not be written is tried again: all that is left of a reply that cannot be saved is its log.
    log.sealed = entriesAfter(log.entries, log.writtenSeq).length === 0;
    await writing;
  }

  function end(generationId: string, final: GenerationEvent | null): void {
    const log = running.get(generationId);
    if (!log) return;
    if (final) log.entries.push({ seq: END, event: final });
    log.ended = true;
    running.delete(generationId);
    ring(log);
  }

  async function drain(): Promise<void> {
    await write();
  }

  async function close(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    await write();
  }

  function schedule(ms: number): void {
    timer ??= setTimeout(() => void tick(), ms);
  }

  async function tick(): Promise<void> {
    const began = performance.now();
    const ok = await write();
    timer = null;
    const rest = Math.max(PAUSE_MS, WRITE_EVERY_MS - (performance.now() - began));
    if (running.size > 0) schedule(ok ? rest : RETRY_MS);
  }

  /** One write at a time, since two would find the same entries unwritten; all who ask meanwhile share the next. */
  function write(): Promise<boolean> {
    nextWrite ??= writing.then(() => {
      nextWrite = null;
      return writeOnce();
    });
    writing = nextWrite;
    return nextWrite;
  }

  async function writeOnce(): Promise<boolean> {
    const batches = [...running].map(([id, log]) => batchOf(id, log));
    if (batches.length === 0) return true;
    try {
      await writeSplitting(batches);
      return true;
    } catch (error) {
      onFault(error);
      return false;
    }
  }

  /** A batch that fails is halved until the one row that cannot be stored stands alone: it must not stall the others. */
  async function writeSplitting(batches: Batch[]): Promise<void> {
    try {
      const standings = await store.write(batches);
      for (const batch of batches) written(batch, standings.get(batch.generationId) ?? 'lost');
    } catch (error) {
      if (batches.length === 1) throw error;
      const middle = Math.ceil(batches.length / 2);
      const halves = await Promise.allSettled([
        writeSplitting(batches.slice(0, middle)),
        writeSplitting(batches.slice(middle)),
      ]);
      const failed = halves.find((half) => half.status === 'rejected');
      if (failed) throw failed.reason;
    }
  }

  function written(batch: Batch, standing: Standing): void {
    const log = running.get(batch.generationId);
    if (!log) return;
    const last = batch.entries.at(-1)?.seq ?? log.writtenSeq;
    // What was many deltas in memory is now what was written: the same rows as in the store, and as few.
    const before = log.entries.filter((entry) => entry.seq <= log.writtenSeq);
    const after = log.entries.filter((entry) => entry.seq > last);
    log.entries = [...before, ...batch.entries, ...after];
    log.writtenSeq = last;
    if (standing !== 'ours') log.onStanding(standing);
  }

  function batchOf(generationId: string, log: Running): Batch {
    const entries = log.sealed ? [] : mergeEntries(entriesAfter(log.entries, log.writtenSeq));
    return { generationId, epoch: log.epoch, entries };
  }
}

/** The entries after `seq`. Looks from the end: readers are rarely far behind. */
export function entriesAfter(entries: readonly Entry[], seq: number): Entry[] {
  let from = entries.length;
  while (from > 0 && (entries[from - 1]?.seq ?? 0) > seq) from -= 1;
  return entries.slice(from);
}

/** Neighbouring text as one event each, under the seq of its last. */
export function mergeEntries(entries: readonly Entry[]): Entry[] {
  const merged: Entry[] = [];
  for (const entry of entries) {
    const last = merged.at(-1);
    const event = last && merge(last.event, entry.event);
    if (event) merged[merged.length - 1] = { seq: entry.seq, event };
    else merged.push(entry);
  }
  return merged;
}

function ring(log: LiveLog): void {
  const bells = [...log.bells];
  log.bells.clear();
  for (const bell of bells) bell();
}
