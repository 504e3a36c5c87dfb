import { Refusal } from '../platform/errors.ts';

/** Retries what was refused because of a dead process's run, once that run is recovered. */
export type RetryAfterRecovery = <T>(attempt: () => Promise<T>) => Promise<T>;

/** `settle` recovers the runs of dead processes and returns how many there were. */
export function createRetryAfterRecovery({ settle }: { settle(): Promise<number> }): RetryAfterRecovery {
  return async (attempt) => {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason.type !== 'concurrent') throw error;
      if ((await settle()) === 0) throw error;
      return attempt();
    }
  };
}
