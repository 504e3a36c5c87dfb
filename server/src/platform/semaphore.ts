import { unlessAborted } from './deadline.ts';

/** Runs at most `max` tasks at a time; the others wait in FIFO order. */
export function createSemaphore(max: number) {
  const inTurn = createFairQueue(max);
  return <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => inTurn('', work, signal);
}

/** Runs a task when it is its turn. Rejects at once with the reason of a signal that aborts before. */
export type FairQueue = <T>(key: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Runs at most `max` tasks at a time. Keys take turns: anyone who has many tasks waiting delays others by one of them.
 * Tasks of one key keep their order.
 */
export function createFairQueue(max: number): FairQueue {
  /** The next turn is the first key's. */
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;

  return async function take(key, work, signal) {
    signal?.throwIfAborted();
    if (running < max) running++;
    else await turnUnlessAborted(key, signal);
    try {
      return await work();
    } finally {
      pass();
    }
  };

  async function turnUnlessAborted(key: string, signal?: AbortSignal): Promise<void> {
    const turn = turnOf(key);
    if (!signal) return turn;
    try {
      await unlessAborted(turn, signal);
    } catch (error) {
      void turn.then(pass);
      throw error;
    }
  }

  function turnOf(key: string): Promise<void> {
    return new Promise((resolve) => {
      const own = waiting.get(key);
      if (own) own.push(resolve);
      else waiting.set(key, [resolve]);
    });
  }

  function pass(): void {
    for (const [key, [next, ...others]] of waiting) {
      waiting.delete(key);
      if (others.length > 0) waiting.set(key, others);
      return next?.();
    }
    running--;
  }
}

/** Locks `key` within this process; resolves with the function that releases it. */
type KeyedMutex = (key: string) => Promise<() => void>;

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<void>>();
  return async (key) => {
    const before = last.get(key);
    let resolve = () => {};
    const mine = new Promise<void>((done) => (resolve = done));
    last.set(key, mine);
    await before;
    return () => {
      if (last.get(key) === mine) last.delete(key);
      resolve();
    };
  };
}
