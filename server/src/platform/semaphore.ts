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
