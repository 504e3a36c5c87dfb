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

/** All places are taken by kernels that work. */
export class KernelsBusy extends Error {
  override name = 'KernelsBusy';
}

/** A place of a kernel. */
interface Seat extends Owner {
  kernel: Kernel | null;
  isBusy: boolean;
  idle?: NodeJS.Timeout;
}

export function createKernels({ start, atOnce, waitMs, idleMs }: KernelsOptions): Kernels {
  const closed = new AbortController();
  /** The longest unused first. */
  const seats = new Set<Seat>();
  /** Calls, and ends of kernels. */
  const running = new Set<Promise<unknown>>();
  const changes = createChanges();

  async function useSeat<T>(owner: Owner, ofCall: AbortSignal, work: (kernel: Kernel) => Promise<T>): Promise<T> {
    const signal = AbortSignal.any([ofCall, closed.signal]);
    for (;;) {
      const seat = await takeSeat(owner, signal);
      try {
        if (seat.kernel && !(await seat.kernel.isAlive(signal))) {
          await seat.kernel.end();
          continue;
        }
        if (!seat.kernel) {
          seat.kernel = await start(signal);
          void seat.kernel.ended.then(() => leave(seat));
        }
        return await work(seat.kernel);
      } finally {
        release(seat);
      }
    }
  }

  async function takeSeat(owner: Owner, signal: AbortSignal): Promise<Seat> {
    const until = Date.now() + waitMs;
    for (;;) {
      signal.throwIfAborted();
      const own = [...seats].find((seat) => isOf(seat, owner));
      if (own && !own.isBusy) return occupy(own);
      const other = own ? undefined : inTheWay([...seats], owner, atOnce);
      if (!own && !other) return occupy({ ...owner, kernel: null, isBusy: true });
      if (other && !other.isBusy) await endSeat(other);
      // A call of the same conversation ends by itself, so its turn is waited for.
      else await changes.next(own ? Infinity : until - Date.now(), signal);
    }
  }

  function occupy(seat: Seat): Seat {
    clearTimeout(seat.idle);
    seat.isBusy = true;
    seats.delete(seat);
    seats.add(seat);
    return seat;
  }

  function release(seat: Seat): void {
    seat.isBusy = false;
    if (!seat.kernel || !seats.has(seat)) return leave(seat);
    seat.idle = setTimeout(() => void endSeat(seat), idleMs);
    seat.idle.unref();
    changes.tell();
  }

  /** Its process is gone, or never came. */
  function leave(seat: Seat): void {
    clearTimeout(seat.idle);
    seats.delete(seat);
    changes.tell();
  }

  async function endSeat(seat: Seat): Promise<void> {
    leave(seat);
    if (seat.kernel) await tracked(running, seat.kernel.end());
  }

  return {
    use: (owner, signal, work) => tracked(running, useSeat(owner, signal, work)),
    async close() {
      closed.abort(new KernelEnded('stopped'));
      await Promise.all([...[...seats].map(endSeat), ...running]);
    },
  };
}

/** Notes the work among all that is under way until it is done, however it ends. */
function tracked<T>(all: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  const done = work.catch(() => {}).finally(() => all.delete(done));
  all.add(done);
  return work;
}

function isOf(seat: Owner, { userId, convoId }: Owner): boolean {
  return seat.userId === userId && seat.convoId === convoId;
}

/**
 * The seat that must be left before this owner can have one: the user's other one, or that of longest disuse, which
 * stands first.
 */
function inTheWay(seats: readonly Seat[], { userId }: Owner, atOnce: number): Seat | undefined {
  const ofUser = seats.find((seat) => seat.userId === userId);
  if (ofUser || seats.length < atOnce) return ofUser;
  return seats.find(({ isBusy }) => !isBusy) ?? seats[0];
}

/** Tells those who wait for a seat that one may be free. */
function createChanges() {
  const waiting = new Set<() => void>();
  return {
    tell(): void {
      for (const look of waiting) look();
    },
    /** Returns also when the signal aborts. @throws KernelsBusy after `ms` */
    async next(ms: number, signal: AbortSignal): Promise<void> {
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
