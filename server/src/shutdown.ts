// An orderly shutdown in which every step has an end: what hangs is logged and left, and the next step begins.
import type { Logger } from 'pino';
import { withTimeout } from './platform/deadline.ts';
import { logError } from './platform/log-error.ts';

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
