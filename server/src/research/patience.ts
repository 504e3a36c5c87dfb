// Providers without room: a call is made again until there is some, or nobody waits any longer.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delta } from '../generation/delta.ts';
import { Refusal } from '../platform/errors.ts';
import type { ResearchLimits } from './research.ts';

const LONGEST_PAUSE_MS = 60_000;
const BUSY: ReadonlySet<string> = new Set([
  'provider_rate_limited',
  'provider_unavailable',
  'provider_broke_off',
  'provider_stalled',
]);

/**
 * The deltas of a call, which is made again while its provider has no room.
 * @throws what the call throws at last
 */
export async function* patiently(
  call: (attempt: number) => AsyncIterable<Delta>,
  { patienceMs, retryMs, heartbeatMs }: Pick<ResearchLimits, 'patienceMs' | 'retryMs' | 'heartbeatMs'>,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const end = performance.now() + patienceMs;
  let pause = retryMs;
  for (let attempt = 0; ; attempt++) {
    try {
      yield* call(attempt);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!isBusy(error) || performance.now() + pause > end) throw error;
      yield* rest(Math.max(pause, retryAfterMs(error)), heartbeatMs, signal);
      if (signal.aborted) return;
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Refusal && BUSY.has(error.reason.type);
}

function retryAfterMs(error: unknown): number {
  const seconds =
    error instanceof Refusal && error.reason.type === 'provider_rate_limited' ? error.reason.retryAfterSeconds : null;
  return Math.min((seconds ?? 0) * 1000, LONGEST_PAUSE_MS);
}

async function* rest(ms: number, heartbeatMs: number, signal: AbortSignal): AsyncGenerator<Delta> {
  const end = performance.now() + ms;
  for (let left = ms; left > 0 && !signal.aborted; left = end - performance.now()) {
    yield { type: 'working' };
    await sleep(Math.min(left, heartbeatMs), undefined, { signal }).catch(() => undefined);
  }
}
