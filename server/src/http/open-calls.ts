// The calls of procedures that have begun and not ended: a shutdown waits for them before it closes the database.
import { withTimeout } from '../platform/deadline.ts';

export interface OpenCalls {
  /** Counts a call until it has ended. */
  add<T>(call: Promise<T>): Promise<T>;
  /** Resolves when no call is open, at the latest after `ms` milliseconds. */
  ended(ms: number): Promise<void>;
}

export function createOpenCalls(): OpenCalls {
  const open = new Set<Promise<unknown>>();

  async function allEnded(): Promise<void> {
    // A call may begin others.
    while (open.size > 0) await Promise.allSettled(open);
  }

  return {
    add(call) {
      open.add(call);
      const end = () => void open.delete(call);
      call.then(end, end);
      return call;
    },
    ended: (ms) => withTimeout(allEnded(), ms, () => {}),
  };
}
