// Several processes behind one port, so that a machine's cores are all used: this one starts the others, replaces one that
// dies, and tells them to stop. Node hands each connection to the next of them.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { createLogger } from './platform/logger.ts';
import { answerMetrics } from './platform/metrics.ts';
import { closeMaxMs, STOP, type FromWorker, type Running } from './shutdown.ts';

/** From the death of a process that had served to its replacement, then twice as long after each failed start. */
const REPLACE_AFTER_MS = 1000;
const REPLACE_AFTER_MAX_MS = 30_000;

/**
 * Starts the processes that `PROCESSES` asks for, the first before the others, so that one migrates.
 * @throws Error with the sentence of the process that could not start
 */
export async function supervise(config: Config): Promise<Running> {
  const log = await createLogger(config.log);
  let isStopping = false;
  const starting = startProcess();
  if (config.server.metricsToken) await answerMetrics();
  const url = await starting;
  const others = Array.from({ length: config.server.processes - 1 }, startProcess);
  await Promise.all(others).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { url, logsJson: config.log.json, log, closeMaxMs: closeMaxMs(config), close };

  /** Resolves to the URL once it serves. Its death is followed by a replacement. */
  async function startProcess(): Promise<string> {
    const worker = cluster.fork();
    const url = await untilServing(worker);
    worker.once('exit', (code, signal) => void replace(worker, code, signal));
    // Before it served, it may not have heard it.
    if (isStopping) worker.send(STOP);
    return url;
  }

  async function replace({ process: { pid } }: Worker, code: number | null, signal: string | null): Promise<void> {
    if (isStopping) return;
    // One that was told to stop ends with 0.
    log[code === 0 ? 'info' : 'error'](
      { event: 'process.ended', code, signal },
      `Process ${pid} ended and is replaced`,
    );
    for (let ms = REPLACE_AFTER_MS; !isStopping; ms = Math.min(2 * ms, REPLACE_AFTER_MAX_MS)) {
      await sleep(ms);
      if (isStopping || (await startProcess().then(Boolean, (error: unknown) => refused(log, error)))) return;
    }
  }

  async function close(): Promise<void> {
    isStopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
    await Promise.all(workers.map((worker) => worker && stop(worker)));
  }
}

async function stop(worker: Worker): Promise<void> {
  const ended = once(worker, 'exit');
  worker.send(STOP);
  await ended;
}

function refused(log: Logger, error: unknown): false {
  const why = error instanceof Error ? error.message : String(error);
  log.error({ event: 'process.failed' }, `A process could not start: ${why}`);
  return false;
}

/** @throws Error with the sentence that the process has instead of a URL */
async function untilServing(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.once('exit', (code, signal) => reject(new Error(`It ended with ${signal || code}.`)));
    worker.on('message', (message: FromWorker) => {
      if ('url' in message) resolve(message.url);
      if ('failure' in message) reject(new Error(message.failure));
    });
  });
}
