// The kernels of a server: one for a conversation, at most one of a user and a few in all, none before its first use.
import { KernelEnded, type Kernel } from './kernel.ts';

export interface Owner {
  userId: string;
  convoId: string;
}

export interface KernelsOptions {
  /** Starts one. The signal is of the call that needs it. */
  start(signal: AbortSignal): Promise<Kernel>;
  /** How many may be alive at once. */
  atOnce: number;
  /** How long a call waits for a place. */
  waitMs: number;
  /** How long a kernel lives after its last call. */
  idleMs: number;
}

export interface Kernels {
  /**
   * Calls `work` with the conversation's kernel, a new one if it has none; calls of one conversation take turns. An
   * idle kernel of another conversation makes room.
   * @throws KernelsBusy when no place gets free; KernelEnded when it cannot be started
   */
  use<T>(owner: Owner, signal: AbortSignal, work: (kernel: Kernel) => Promise<T>): Promise<T>;
  /** Ends all, and waits for their ends. */
  close(): Promise<void>;
}

/** All entries are of kernels that work. */
export class KernelsBusy extends Error {
  override name = 'KernelsBusy';
}

/** A place of a kernel. */
interface Entry extends Owner {
  kernel: Kernel | null;
  isBusy: boolean;
  idle?: NodeJS.Timeout;
}

export function createKernels({ start, atOnce, waitMs, idleMs }: KernelsOptions): Kernels {
  const closed = new AbortController();
  /** The longest unused first. */
  const entries = new Set<Entry>();
  /** Calls, and ends of kernels. */
  const running = new Set<Promise<unknown>>();
  const changes = createChanges();

  async function withKernel<T>(owner: Owner, ofCall: AbortSignal, work: (kernel: Kernel) => Promise<T>): Promise<T> {
    const signal = AbortSignal.any([ofCall, closed.signal]);
    for (;;) {
      const entry = await acquire(owner, signal);
      try {
        if (entry.kernel && !(await entry.kernel.isAlive(signal))) {
          await entry.kernel.end();
          continue;
        }
        if (!entry.kernel) {
          entry.kernel = await start(signal);
          void entry.kernel.ended.then(() => leave(entry));
        }
        return await work(entry.kernel);
      } finally {
        release(entry);
      }
    }
  }

  async function acquire(owner: Owner, signal: AbortSignal): Promise<Entry> {
    const until = Date.now() + waitMs;
    for (;;) {
      signal.throwIfAborted();
      const own = [...entries].find((entry) => entry.userId === owner.userId && entry.convoId === owner.convoId);
      if (own && !own.isBusy) return occupy(own);
      const other = own ? undefined : evictionCandidate([...entries], owner, atOnce);
      if (!own && !other) return occupy({ ...owner, kernel: null, isBusy: true });
      if (other && !other.isBusy) await endEntry(other);
      // A call of the same conversation ends by itself, so its turn is waited for.
      else await changes.wait(own ? Infinity : until - Date.now(), signal);
    }
  }

  function occupy(entry: Entry): Entry {
    clearTimeout(entry.idle);
    entry.isBusy = true;
    entries.delete(entry);
    entries.add(entry);
    return entry;
  }

  function release(entry: Entry): void {
    entry.isBusy = false;
    if (!entry.kernel || !entries.has(entry)) return leave(entry);
    entry.idle = setTimeout(() => void endEntry(entry), idleMs);
    entry.idle.unref();
    changes.notify();
  }

  /** Its process is gone, or never came. */
  function leave(entry: Entry): void {
    clearTimeout(entry.idle);
    entries.delete(entry);
    changes.notify();
  }

  async function endEntry(entry: Entry): Promise<void> {
    leave(entry);
    if (entry.kernel) await tracked(running, entry.kernel.end());
  }

  return {
    use: (owner, signal, work) => tracked(running, withKernel(owner, signal, work)),
    async close() {
      closed.abort(new KernelEnded('stopped'));
      await Promise.all([...[...entries].map(endEntry), ...running]);
    },
  };
}

/** Notes the work among all that is under way until it is done, however it ends. */
function tracked<T>(all: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  const done = work.catch(() => {}).finally(() => all.delete(done));
  all.add(done);
  return work;
}

/**
 * The entry that must be left before this owner can have one: the user's other one, or that of longest disuse, which
 * stands first.
 */
function evictionCandidate(entries: readonly Entry[], { userId }: Owner, atOnce: number): Entry | undefined {
  const ofUser = entries.find((entry) => entry.userId === userId);
  if (ofUser || entries.length < atOnce) return ofUser;
  return entries.find(({ isBusy }) => !isBusy) ?? entries[0];
}

/** Tells those who wait for an entry that one may be free. */
function createChanges() {
  const waiting = new Set<() => void>();
  return {
    notify(): void {
      for (const look of waiting) look();
    },
    /** Returns also when the signal aborts. @throws KernelsBusy after `ms` */
    async wait(ms: number, signal: AbortSignal): Promise<void> {
      let giveUp: NodeJS.Timeout | undefined;
      let look = () => {};
      try {
        await new Promise<void>((resolve, reject) => {
          look = resolve;
          waiting.add(look);
          signal.addEventListener('abort', look, { once: true });
          if (ms < Infinity) giveUp = setTimeout(() => reject(new KernelsBusy()), Math.max(0, ms));
        });
      } finally {
        clearTimeout(giveUp);
        waiting.delete(look);
        signal.removeEventListener('abort', look);
      }
    },
  };
}
