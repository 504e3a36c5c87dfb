// Keeps the event loop free: splits long synchronous work into slices, and gives tasks turns. Slices count work instead
// of time, so that a slice is the same on a busy machine.
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Slices {
  /** Counts completed work; returns undefined within a slice, and at its end a promise that yields to other tasks. */
  spend(units?: number): Promise<void> | undefined;
}

/** `units` of work make a slice; `rest` yields to other tasks. */
export function createSlices(units: number, rest: () => Promise<unknown> = () => nextTurn()): Slices {
  let left = units;
  return {
    spend(spent = 1) {
      left -= spent;
      if (left > 0) return undefined;
      left = units;
      return rest().then(() => undefined);
    },
  };
}

const waiting: (() => void)[] = [];

/**
 * Resolves in a turn of the event loop that no other caller goes on in, in the order of the calls. Tasks that are woken
 * by the same event, such as a write to the database that they all waited for, would go on in one turn otherwise.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(letFirstGoOn);
  });
}

function letFirstGoOn(): void {
  waiting.shift()?.();
  // An immediate that is set now runs in the next turn, after timers and the network.
  if (waiting.length > 0) setImmediate(letFirstGoOn);
}
