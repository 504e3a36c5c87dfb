// One process that has read nothing yet, started ahead of the next file: whoever sends one often sends more.
import type { ChildProcess } from 'node:child_process';

interface SpareOptions {
  start: () => ChildProcess;
  /** Has a process that will wait load what it is going to need. */
  warmUp: (worker: ChildProcess) => void;
  /** How long it waits before it is ended, in milliseconds. */
  keepMs: number;
}

export interface SpareWorker {
  /** The process that waits; a new one if none does. */
  take(): ChildProcess;
  /** Starts one that waits, unless one does or this is closed. */
  prepare(): void;
  close(): Promise<void>;
}

export function createSpareWorker({ start, warmUp, keepMs }: SpareOptions): SpareWorker {
  let spare: { worker: ChildProcess; ended: Promise<void>; timer: NodeJS.Timeout } | null = null;
  let isClosed = false;

  function prepare(): void {
    if (spare || isClosed) return;
    const worker = start();
    warmUp(worker);
    // A process that waits does not keep the server from ending.
    worker.unref();
    worker.channel?.unref();
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()).once('error', () => resolve()));
    const timer = setTimeout(() => worker.kill('SIGKILL'), keepMs).unref();
    const prepared = { worker, ended, timer };
    spare = prepared;
    void ended.then(() => {
      if (spare === prepared) spare = null;
    });
  }

  return {
    take() {
      const prepared = spare;
      spare = null;
      // One that is ending may not have said so yet.
      if (!prepared?.worker.connected || prepared.worker.killed) return start();
      clearTimeout(prepared.timer);
      prepared.worker.ref();
      prepared.worker.channel?.ref();
      return prepared.worker;
    },
    prepare,
    async close() {
      isClosed = true;
      if (!spare) return;
      const { worker, ended, timer } = spare;
      clearTimeout(timer);
      worker.kill('SIGKILL');
      await ended;
    },
  };
}
