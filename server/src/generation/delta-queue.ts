// Tests of this room: tests/unit/generation, tests/integration/generation.

// Joins what is told at the same time by several tools, or of several pictures, into one stream.
import type { Delta } from './delta.ts';

export interface DeltaQueue {
  push(delta: Delta): void;
  /** Nothing more comes. */
  end(): void;
  /** Everything pushed, in order, until the end; `working` whenever nothing came for so many milliseconds. */
  read(heartbeatMs: number): AsyncGenerator<Delta>;
}

export function createDeltaQueue(): DeltaQueue {
  let waiting: Delta[] = [];
  let isEnded = false;
  let wake: () => void = () => {};
  return {
    push(delta) {
      waiting.push(delta);
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
    read,
  };

  async function* read(heartbeatMs: number): AsyncGenerator<Delta> {
    for (;;) {
      const sent = waiting;
      waiting = [];
      yield* sent;
      if (waiting.length > 0) continue;
      if (isEnded) return;
      if (!(await somethingCame(heartbeatMs))) yield { type: 'working' };
    }
  }

  function somethingCame(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
