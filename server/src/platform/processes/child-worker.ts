// Programs that run in processes apart from the server. Not in threads: one that runs out of memory while a large string
// or array grows takes the whole server with it, whatever its limits say.
import { fork, type ChildProcess, type Serializable } from 'node:child_process';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The program `name`: beside the module in the sources; in a build it stands with `main.js`, where the module is in that
 * or in a file of `chunks/`.
 */
export function programBeside(module: string, name: string): URL {
  if (module.endsWith('.ts')) return new URL(name, module);
  return new URL(`${module.includes('/chunks/') ? '..' : '.'}/${parse(name).name}.js`, module);
}

/** @param heapMb of its JavaScript heap: V8 ends the process that needs more */
export function startWorker(program: URL, heapMb: number): ChildProcess {
  const flags = [`--max-old-space-size=${heapMb}`];
  if (program.pathname.endsWith('.ts')) flags.push('--import', import.meta.resolve('tsx'));
  // Nothing that it reads becomes code. The loader of TypeScript needs no exception.
  flags.push('--disallow-code-generation-from-strings');
  const worker = fork(fileURLToPath(program), {
    execArgv: flags,
    // It needs nothing of the server's, and the warnings of libraries are about what strangers sent.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  // To kill a process that is gone may report an error.
  return worker.on('error', () => {});
}

/** A worker that is gone cannot get orders; its end is reported by itself. */
export function sendOrder(worker: ChildProcess, order: Serializable): void {
  worker.send(order, () => {});
}

/** What the worker makes of an order; null when it ends, or the signal aborts, before it answers. */
export function askWorker(worker: ChildProcess, order: Serializable, signal: AbortSignal): Promise<unknown> {
  const result = nextMessage(worker, signal);
  sendOrder(worker, order);
  return result;
}

/** What the worker says next; null when it ends, or the signal aborts, before that. */
export function nextMessage(worker: ChildProcess, signal?: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    const settle = (message: unknown) => {
      worker.off('message', settle).off('error', fail).off('exit', fail);
      signal?.removeEventListener('abort', fail);
      resolve(message);
    };
    const fail = () => settle(null);
    worker.on('message', settle).on('error', fail).on('exit', fail);
    signal?.addEventListener('abort', fail);
    if (signal?.aborted || hasEnded(worker)) fail();
  });
}

/** Kills the process and waits for its end. */
export async function endWorker(worker: ChildProcess): Promise<void> {
  if (hasEnded(worker)) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve).once('error', resolve));
  worker.kill('SIGKILL');
  await ended;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

export interface WaitingWorker {
  isThere(): boolean;
  /** Has this process wait, and ends another that waits. */
  put(worker: ChildProcess, key?: string): void;
  /** The process that waits, if it was put here with this key. */
  take(key?: string): ChildProcess | null;
  /** Ends the process that waits. */
  end(): Promise<void>;
}

/**
 * A place for one process that waits for its next order, `keepMs` at most: a caller that sends one often sends more. It does
 * not keep the server from ending.
 */
export function createWaitingWorker(keepMs: number): WaitingWorker {
  let waiting: { worker: ChildProcess; key: string; timer: NodeJS.Timeout } | null = null;

  function put(worker: ChildProcess, key = ''): void {
    void end();
    worker.unref();
    worker.channel?.unref();
    worker.on('exit', leave).on('error', leave);
    waiting = { worker, key, timer: setTimeout(() => void end(), keepMs).unref() };
  }

  function take(key = ''): ChildProcess | null {
    if (waiting?.key !== key) return null;
    const { worker } = waiting;
    leave();
    // One that is ending may not have said so yet.
    if (!worker.connected || worker.killed) return null;
    worker.ref();
    worker.channel?.ref();
    return worker;
  }

  async function end(): Promise<void> {
    const worker = waiting?.worker;
    leave();
    if (worker) await endWorker(worker);
  }

  function leave(): void {
    clearTimeout(waiting?.timer);
    waiting?.worker.off('exit', leave).off('error', leave);
    waiting = null;
  }

  return { isThere: () => waiting !== null, put, take, end };
}
