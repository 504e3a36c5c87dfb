// The program: reads the configuration and becomes the server, or the supervisor of several processes; ends on signals.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { MIGRATIONS } from './config/product-root.ts';
import { defaultTimings } from './config/timings.ts';
import { loadConfig } from './load-config.ts';
import { logError } from './platform/log-error.ts';
import { CLOSE_MAX_MS, STOP, type FromWorker, type Running } from './shutdown.ts';

/** npm sends Ctrl-C twice within a few milliseconds: that is one signal. */
const SAME_SIGNAL_MS = 1000;
/**
 * How far the heap may grow between two full collections, in percent of what survived the last one. V8 lets it
 * quadruple, which saves nothing here: with 200 answers at once the process took 236 MB more than idle, with this 90 MB,
 * for the same CPU (`npm run bench steady`).
 */
const HEAP_GROWTH_PERCENT = 40;

if (process.argv[2] === '--migrate') await (await import('./commands/migrate.ts')).migrateOnly(MIGRATIONS);
else await runAsProgram();

/** One server; with `PROCESSES`, a supervisor that starts several of them at one port. */
async function start(): Promise<Running> {
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  // The supervisor loads nothing that serves.
  if (config.server.processes > 1 && cluster.isPrimary) return (await import('./supervise.ts')).supervise(config);
  return (await import('./serve.ts')).serveConfigured(config);
}

/**
 * Prints the URL in one line and shuts down cleanly on SIGTERM and Ctrl-C, even during startup. The shutdown has an end:
 * `CLOSE_MAX_MS` after the grace of answers, or with a second signal.
 */
async function runAsProgram(): Promise<void> {
  process.title = 'parley';
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const starting = start();
  const running = starting.catch(() => null);
  let ending: Promise<void> | undefined;
  let endingSince = 0;
  let isReplaced: Promise<boolean> | boolean = false;
  const end = async (failure?: unknown) => {
    endingSince = performance.now();
    const isFailed = failure !== undefined;
    const cutAfter = (ms: number) => setTimeout(() => void cut('The shutdown takes too long'), ms).unref();
    const startLimit = cutAfter(defaultTimings.shutdownGraceMs + CLOSE_MAX_MS);
    const server = await running;
    clearTimeout(startLimit);
    if (server) cutAfter(server.closeMaxMs);
    if (server && isFailed) logError(server.log, failure, { event: 'server.failed' });
    await server?.close({ isReplaced: await isReplaced });
    process.exit(server && !isFailed ? 0 : 1);
  };
  /** What runs is settled by other processes, or at the next start. */
  const cut = async (why: string) => {
    setImmediate(() => process.exit(1));
    const server = await running;
    server?.log.error({ event: 'server.cut' }, `${why}: the process ends at once`);
  };
  // After such an error nothing can be relied on: what runs is handed over, and a supervisor starts the server again.
  const fail = async (error: unknown) => {
    if (!ending) return (ending = end(error));
    const server = await running;
    if (server) logError(server.log, error, { event: 'server.failed' });
  };
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error) => void fail(error));
  const stop = () => {
    if (cluster.worker) isReplaced = nobodyStopsAll(cluster.worker);
    if (ending && performance.now() - endingSince > SAME_SIGNAL_MS) return void cut('A second signal came');
    ending ??= end();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  cluster.worker?.on('message', (message) => message === STOP && (ending ??= end()));
  try {
    const { url, logsJson } = await starting;
    if (ending) return;
    if (cluster.worker) cluster.worker.send({ url } satisfies FromWorker);
    else if (!logsJson) process.stdout.write(`Parley is ready on ${url}\n`);
  } catch (error) {
    process.exitCode = 1;
    const failure = error instanceof Error ? error.message : String(error);
    if (cluster.worker) cluster.worker.send({ failure } satisfies FromWorker, () => process.exit());
    else process.stderr.write(`${failure}\n`);
  }
}

/** Whether the supervisor goes on when this process gets a signal: a service manager sends it to all of them. */
async function nobodyStopsAll(worker: Worker): Promise<boolean> {
  const told = once(worker, 'message').then(([message]) => message !== STOP);
  return Promise.race([told, sleep(SAME_SIGNAL_MS, true)]);
}
