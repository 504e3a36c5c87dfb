// Splits long synchronous work into slices that yield to the event loop. Counts work instead of time, so that a slice
// is the same on a busy machine.
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
