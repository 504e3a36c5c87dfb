// How often the answers of providers are read. Each piece costs its way through the layers above, whatever its length:
// with many answers at once, what arrived in a short while is read as one.
import { setTimeout as sleep } from 'node:timers/promises';

/** Up to this number, answers are read as soon as something arrives. */
const UNPACED_ANSWERS_MAX = 10;
/** For each answer above that number. */
const MS_PER_ANSWER = 0.5;
/** Below what readers gather with that many, see `http/backpressure.ts`. */
const PAUSE_MAX_MS = 100;

/** Answers of this process that wait for their provider. */
let waiting = 0;

/** Milliseconds between two reads of one answer when `answers` wait for their providers. */
export function pauseBetweenReads(replies: number): number {
  return Math.min(Math.max(0, replies - UNPACED_ANSWERS_MAX) * MS_PER_ANSWER, PAUSE_MAX_MS);
}

/** Wraps the function that reads what comes next of one answer. The first comes at once. */
export function pacedReads<T>(read: () => Promise<T>): () => Promise<T> {
  let readAt = -Infinity;
  return async () => {
    waiting++;
    try {
      const isCrowd = waiting > UNPACED_ANSWERS_MAX;
      const pause = isCrowd ? readAt + pauseBetweenReads(waiting) - performance.now() : 0;
      if (pause >= 1) await sleep(pause);
      return await read();
    } finally {
      waiting--;
      readAt = performance.now();
    }
  };
}
