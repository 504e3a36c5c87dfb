// Whether requests should come to this process: what GET /ready says, and what administrators see.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@parley/db/client';
import { withTimeout } from '../platform/deadline.ts';

/** `silent`: the database does not answer. */
export type ReadyState = 'ready' | 'stopping' | 'silent';

export interface Readiness {
  /** From now on it is about to stop. */
  announceStop(): void;
  isStopping(): boolean;
  read(): Promise<ReadyState>;
}

/** How long the database may be silent, in milliseconds: a restart of it takes less. */
const SILENCE_MAX_MS = 5000;
const RETRY_MS = 200;

export function createReadiness(db: Db): Readiness {
  let isStopping = false;
  let asking: Promise<boolean> | undefined;
  return {
    announceStop: () => void (isStopping = true),
    isStopping: () => isStopping,
    async read() {
      asking ??= isAnswering(db).finally(() => (asking = undefined));
      if (!isStopping && !(await asking)) return 'silent';
      return isStopping ? 'stopping' : 'ready';
    },
  };
}

async function isAnswering(db: Db): Promise<boolean> {
  let isLate = false;
  const answered = async () => {
    while (!isLate) {
      const isAnswered = await db.sql`select 1`.then(
        () => true,
        () => false,
      );
      if (isAnswered) return true;
      await sleep(RETRY_MS);
    }
    return false;
  };
  return withTimeout(answered(), SILENCE_MAX_MS, () => {
    isLate = true;
    return false;
  });
}
