// The calls of programs that run in this process: their leases are renewed by one statement every few seconds, which also
// tells which of them are to stop. Without a call there is no statement and no timer.
import type { Db } from '@parley/db/client';
import { LEASE_SECONDS } from '../log-store.ts';
import { withTimeout } from '../../platform/deadline.ts';

/** `stop`: its person or its key has ended. `shutdown`: the server ends. `lost`: another process has it. */
export type StopCause = 'stop' | 'shutdown' | 'lost';

export interface RunningCalls {
  /** Until the returned function is called. */
  add(id: string, controller: AbortController): () => void;
  has(id: string): boolean;
  size(): number;
  /** Waits for them, and stops those that are left after `graceMs` milliseconds. */
  close(graceMs: number): Promise<void>;
}

const RENEW_EVERY_MS = 3_000;
/** Limits how long stopped calls may take to be charged, in milliseconds. */
const SETTLE_MAX_MS = 1_500;

export function createRunningCalls({ sql }: Db, owner: string, onFault: (error: unknown) => void): RunningCalls {
  const running = new Map<string, AbortController>();
  let timer: NodeJS.Timeout | null = null;
  let onEmpty: (() => void) | null = null;
  return { add, has: (id) => running.has(id), size: () => running.size, close };

  function add(id: string, controller: AbortController): () => void {
    running.set(id, controller);
    timer ??= setInterval(() => void renew().catch(onFault), RENEW_EVERY_MS).unref();
    return () => {
      running.delete(id);
      if (running.size > 0) return;
      if (timer) clearInterval(timer);
      timer = null;
      onEmpty?.();
    };
  }

  async function renew(): Promise<void> {
    const ids = [...running.keys()];
    const rows = await sql<{ id: string; stop_requested: boolean }[]>`
      update generations set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
      where id = any(${ids}::uuid[]) and owner = ${owner} and ended_at is null
      returning id, stop_requested`;
    const ours = new Map(rows.map((row) => [row.id, row.stop_requested]));
    for (const id of ids) {
      const isStopped = ours.get(id);
      if (isStopped !== false) running.get(id)?.abort((isStopped ? 'stop' : 'lost') satisfies StopCause);
    }
  }

  async function close(graceMs: number): Promise<void> {
    await empty(graceMs);
    for (const controller of running.values()) controller.abort('shutdown' satisfies StopCause);
    await empty(SETTLE_MAX_MS);
  }

  async function empty(ms: number): Promise<void> {
    if (running.size === 0) return;
    const ended = new Promise<void>((resolve) => (onEmpty = resolve));
    await withTimeout(ended, ms, () => undefined);
  }
}
