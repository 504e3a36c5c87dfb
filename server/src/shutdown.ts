// A running server and its orderly shutdown, in which every step has an end: what hangs is logged and left, and the next
// step begins.
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { withTimeout } from './platform/deadline.ts';
import { logError } from './platform/log-error.ts';

export interface Running {
  url: string;
  /** Whether the log is JSON; then nothing else may be printed. */
  logsJson: boolean;
  log: Logger;
  /** How long `close` may take, in milliseconds. */
  closeMaxMs: number;
  /**
   * Waits briefly for runs, hands over the rest, and stops everything that was started. With `isReplaced` other processes
   * take requests at the same port: no load balancer need notice.
   */
  close(options?: { isReplaced?: boolean }): Promise<void>;
}

/** What one of several processes tells its supervisor: that it serves, or one sentence why it cannot. */
export type FromWorker = { url: string } | { failure: string };

/** What the supervisor tells its processes, each of which drains by itself. */
export const STOP = 'stop';

/** Within this time websockets go to other processes, where there are others, in milliseconds. */
export const RECONNECT_WITHIN_MS = 10_000;
/** How long a shutdown may take beyond that and the grace of answers, in milliseconds. */
export const CLOSE_MAX_MS = 10_000;

/** The longest that `close` may take, in milliseconds. */
export function closeMaxMs({ server: { drainMs, shutdownGraceMs, processes } }: Config): number {
  const leaveMs = processes > 1 ? RECONNECT_WITHIN_MS : reconnectMs(drainMs);
  return drainMs + leaveMs + shutdownGraceMs + CLOSE_MAX_MS;
}

/** Nobody else takes over where the operator gave no time to notice that this process stops. */
export function reconnectMs(drainMs: number): number {
  return drainMs > 0 ? RECONNECT_WITHIN_MS : 0;
}

export interface ShutdownStep {
  /** For the log: what is closed. */
  name: string;
  close(): Promise<unknown> | void;
  /** The longest it may take, in milliseconds; `STEP_MAX_MS` when absent, `Infinity` where its own steps have ends. */
  maxMs?: number;
}

const STEP_MAX_MS = 3000;

/** Closes one after the other, in this order. Never rejects. */
export async function closeInOrder(steps: readonly ShutdownStep[], log: Logger | null): Promise<void> {
  for (const step of steps) await closeStep(step, log);
}

/** Closes all at the same time. Never rejects. */
export async function closeTogether(steps: readonly ShutdownStep[], log: Logger): Promise<void> {
  await Promise.all(steps.map((step) => closeStep(step, log)));
}

async function closeStep({ name, close, maxMs = STEP_MAX_MS }: ShutdownStep, log: Logger | null): Promise<void> {
  const leave = () =>
    log?.error({ event: 'server.step_left', step: name }, `The shutdown does not wait any longer for: ${name}`);
  try {
    const closing = Promise.resolve(close());
    await (maxMs === Infinity ? closing : withTimeout(closing, maxMs, leave));
  } catch (error) {
    if (log) logError(log, error, { event: 'server.failed', path: name });
  }
}
