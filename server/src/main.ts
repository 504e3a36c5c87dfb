// The server process: loads the configuration, opens the database, starts the services and listens; shuts down in
// reverse order.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { connect, type Db } from '@parley/db/client';
import { migrate } from '@parley/db/migrate';
import { metadata } from '@parley/db/tables/metadata';
import { eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import { createApp } from './http/app.ts';
import { loadConfig, type Config, type LoadFrom } from './config.ts';
import { loadSecrets, type Secrets } from './config/parts/secrets.ts';
import { openDatabase } from './platform/database.ts';
import type { Demo } from './providers/demo/demo.ts';
import { findOllama } from './catalog/find-ollama.ts';
import { readinessOf } from './catalog/readiness.ts';
import { offersNothing } from './catalog/registry.ts';
import { installOutboundProxy } from './platform/outbound-proxy.ts';
import { logError } from './platform/log-error.ts';
import { createLogger } from './platform/logger.ts';
import { createMetrics } from './platform/metrics.ts';
import { createServices } from './services.ts';

export interface Running {
  url: string;
  /** Whether the log is JSON; then nothing else may be printed. */
  logsJson: boolean;
  log: Logger;
  /** Waits briefly for runs, hands over the rest, and stops everything that was started. */
  close(): Promise<void>;
}

/** How long a server that failed may take to hand over what runs. */
const FAILED_GRACE_MS = 15_000;
const ROOT = join(fileURLToPath(import.meta.url), '../../..');
/**
 * How far the heap may grow between two full collections, in percent of what survived the last one. V8 lets it
 * quadruple, which saves nothing here: with 200 answers at once the process took 236 MB more than idle, with this 90 MB,
 * for the same CPU (`npm run bench steady`).
 */
const HEAP_GROWTH_PERCENT = 40;

/** Starts a server from the environment. A failure is thrown as an error with one sentence. */
export async function serve(from: LoadFrom): Promise<Running> {
  const closers: (() => Promise<unknown> | void)[] = [];
  const close = async () => {
    for (const step of closers.splice(0).toReversed()) await step();
  };
  try {
    return { ...(await start(from, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(from: LoadFrom, closers: (() => Promise<unknown> | void)[]) {
  const config = await loadConfig(from);
  const log = await createLogger(config.log);
  for (const warning of config.warnings) log.warn(warning);
  if (config.server.outboundProxy) closers.push(await installOutboundProxy(config.server.outboundProxy));
  if (!offersNothing(config)) log.info(readinessOf(config));
  // Detects Ollama while the database opens, without delaying the start.
  const ollama = offersNothing(config) && config.endpoints.ollamaURL ? findOllama(config.endpoints.ollamaURL) : null;
  const secrets = await loadSecrets(config.server.dataDir, config.env);
  const { connection, close } = await openDatabase(config);
  closers.push(close);
  await migrate(connection, join(ROOT, 'db/migrations'));
  const db = connect(connection, { max: config.database.poolSize });
  closers.push(() => db.end());
  await assertSameSecrets(db, secrets);

  const found = await ollama;
  const demo = found || !offersNothing(config) ? null : await openDemo(closers);
  const metrics = config.server.metricsToken ? await createMetrics(db) : null;
  if (metrics) closers.push(() => metrics.close());
  const services = await createServices({ config, secrets, db, log, demo, ollama: found, ...(metrics && { metrics }) });
  closers.push(() => services.close());
  const app = createApp(services.deps, join(ROOT, 'web/dist'), metrics);
  closers.push(() => app.close());
  await listen(app.server, config);
  const { port } = app.server.address() as AddressInfo;
  const { host } = config.server;
  const url = `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${port}`;
  // Without JSON logs `runAsProgram` prints this line.
  if (config.log.json) log.info({ event: 'server.listening', url }, 'The server listens');
  // Closers run in reverse order: this one, at the front, logs last.
  closers.unshift(() => log.info({ event: 'server.stopped' }, 'The server has stopped'));
  closers.push(() => log.info({ event: 'server.draining' }, 'The server finishes what runs and stops'));
  return { url, logsJson: config.log.json, log };
}

/** Starts the demo provider, for a server without any endpoint. */
async function openDemo(closers: (() => Promise<unknown> | void)[]): Promise<Demo> {
  const { startDemo } = await import('./providers/demo/server.ts');
  const demo = await startDemo();
  closers.push(() => demo.close());
  return demo;
}

/**
 * Processes with different secrets would end each other's sessions and could not decrypt each other's provider keys.
 */
async function assertSameSecrets({ query }: Db, { fingerprint, former }: Secrets): Promise<void> {
  await query.insert(metadata).values({ name: 'secrets', value: fingerprint }).onConflictDoNothing();
  const [row] = await query.select().from(metadata).where(eq(metadata.name, 'secrets'));
  if (row?.value === fingerprint) return;
  if (!former.some((earlier) => earlier.fingerprint === row?.value))
    throw new Error(
      'The database belongs to a server with other secrets: use its secrets.json, or its JWT_SECRET, JWT_REFRESH_SECRET and CREDS_KEY.',
    );
  await query.update(metadata).set({ value: fingerprint }).where(eq(metadata.name, 'secrets'));
}

function listen(server: Server, { server: { host, port } }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(listenSentence(error, host, port))));
    // `localhost` resolves to different addresses on different machines; all clients reach this one.
    server.listen(port, host === 'localhost' ? '127.0.0.1' : host, resolve);
  });
}

function listenSentence(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use: stop what listens there, or set PORT to another one.`;
    case 'EACCES':
      return `Port ${port} may not be used by this user: set PORT to one above 1023.`;
    default:
      return `The server cannot listen on ${host}:${port}: ${error.message}.`;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runAsProgram();

/** Prints the URL in one line and shuts down cleanly on SIGTERM and Ctrl-C, even during startup. */
async function runAsProgram(): Promise<void> {
  process.title = 'parley';
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const starting = serve({ env: process.env, cwd: process.cwd() });
  let ending: Promise<void> | undefined;
  const end = async () => {
    const running = await starting.catch(() => null);
    await running?.close();
    process.exit(running ? 0 : 1);
  };
  // After such an error nothing can be relied on: what runs is handed over, and a supervisor starts the server again.
  const fail = async (error: unknown) => {
    const running = await starting.catch(() => null);
    if (running) logError(running.log, error, { event: 'server.failed' });
    setTimeout(() => process.exit(1), FAILED_GRACE_MS).unref();
    await running?.close().catch(() => undefined);
    process.exit(1);
  };
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error) => void (ending ??= fail(error)));
  // npm sends Ctrl-C twice, so a second signal must not fall through to the default handler.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void (ending ??= end()));
  try {
    const { url, logsJson } = await starting;
    if (!ending && !logsJson) process.stdout.write(`Parley is ready on ${url}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
