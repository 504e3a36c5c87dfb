import { randomInt } from 'node:crypto';
import { isFreePort } from '@parley/scripts/cluster/part';

/** Below the ports that systems give to connections and to servers that ask for any port: those come and go. */
const [LOWEST, HIGHEST] = [20_000, 32_000];

/**
 * Each worker has ports of its own, so that none takes the free port that another has just found. The parts that run at
 * once count their workers separately.
 */
const SHARE = 500;
const SHARES = (HIGHEST - LOWEST) / SHARE;
const worker = Number(process.env.VITEST_POOL_ID ?? 0) + (process.env.TEST_PART === 'e2e' ? SHARES / 2 : 0);
const first = LOWEST + SHARE * (worker % SHARES);
const given = new Set<number>();

/** A free port, for callers that need it before their server starts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + randomInt(SHARE);
    if (given.has(port) || !(await isFreePort(port))) continue;
    given.add(port);
    return port;
  }
}
