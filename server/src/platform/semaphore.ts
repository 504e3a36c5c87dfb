/** Runs at most `max` tasks at a time; the others wait in FIFO order. */
export function createSemaphore(max: number) {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async function take<T>(work: () => Promise<T>): Promise<T> {
    if (running < max) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** Runs a task when it is its turn. */
export type FairQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Runs at most `max` tasks at a time. Keys take turns: whoever has many tasks waiting delays others by one of them.
 * Tasks of one key keep their order.
 */
export function createFairQueue(max: number): FairQueue {
  /** The next turn is the first key's. */
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;

  return async function take(key, work) {
    if (running < max) running++;
    else await turnOf(key);
    try {
      return await work();
    } finally {
      pass();
    }
  };

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
