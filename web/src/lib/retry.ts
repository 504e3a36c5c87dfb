// Abortable waits: for a delay, for the network.

/** Milliseconds before the first retry; each later one waits twice as long. */
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;

/** The delay before retry number `attempt` (from 0): doubling, with jitter so that tabs do not retry together. */
export function retryDelay(attempt: number): number {
  const delay = Math.min(FIRST_RETRY_MS * 2 ** attempt, LONGEST_RETRY_MS);
  return delay * (0.75 + Math.random() / 2);
}

/**
 * Resolves after `milliseconds`, or as soon as the network returns. Rejects with an AbortError when `signal` is aborted
 * first.
 */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return settle(signal, (done) => {
    const timer = setTimeout(done, milliseconds);
    window.addEventListener('online', done);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
    };
  });
}

/** Resolves once the browser reports to be online. */
export async function untilOnline(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (navigator.onLine !== false) return;
  await settle(signal, (done) => {
    window.addEventListener('online', done);
    return () => window.removeEventListener('online', done);
  });
}

/** `start` gets the callback that ends the wait, and returns the function that cancels it. */
function settle(signal: AbortSignal, start: (done: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const end = start(() => finish(resolve));
    const onAbort = () => finish(() => reject(signal.reason as Error));
    const finish = (then: () => void) => {
      end();
      signal.removeEventListener('abort', onAbort);
      then();
    };
    signal.addEventListener('abort', onAbort);
  });
}
