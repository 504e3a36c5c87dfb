// The server process: configuration, database, rooms, listening; and all of it backwards at the end.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, type Db } from '@parley/db/client';
import { migrate } from '@parley/db/migrate';
import { facts } from '@parley/db/tables/facts';
import { eq } from 'drizzle-orm';
import { pino, type Logger } from 'pino';
import { createApp } from './app.ts';
import { loadConfig, type Config } from './config.ts';
import { loadSecrets, type Secrets } from './config/secrets.ts';
import { openDatabase } from './database.ts';
import type { Demo } from './endpoints/offered/demo.ts';
import { findOllama } from './endpoints/offered/ollama.ts';
import { readinessOf } from './endpoints/readiness.ts';
import { offersNothing } from './endpoints/registry.ts';
import { callThrough } from './outbound.ts';
import { openRooms } from './rooms.ts';

export interface Running {
  url: string;
  /** Lets runs finish for a moment, hands over the rest, and ends everything that was started. */
  close(): Promise<void>;
}

const ROOT = join(fileURLToPath(import.meta.url), '../../..');
/** Starts a server from the environment. Whatever stands in the way is thrown as an error with one sentence. */
export async function serve(from: { env: NodeJS.ProcessEnv; cwd: string }): Promise<Running> {
  const closers: (() => Promise<unknown> | void)[] = [];
  const close = async () => {
    for (const step of closers.splice(0).toReversed()) await step();
  };
  try {
    return { url: await start(from, closers), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(from: { env: NodeJS.ProcessEnv; cwd: string }, closers: (() => Promise<unknown> | void)[]) {
  const config = await loadConfig(from);
  const log = createLogger(config);
  for (const notice of config.notices) log.warn(notice);
  if (config.server.outboundProxy) closers.push(await callThrough(config.server.outboundProxy));
  if (!offersNothing(config)) log.info(readinessOf(config));
  // Looked for while the database opens: nobody waits for it.
  const ollama = offersNothing(config) && config.endpoints.ollamaURL ? findOllama(config.endpoints.ollamaURL) : null;
  const secrets = await loadSecrets(config.server.dataDir, config.env);
  const { connection, close } = await openDatabase(config);
  closers.push(close);
  await migrate(connection, join(ROOT, 'db/migrations'));
  const db = connect(connection);
  closers.push(() => db.end());
  await assertSameSecrets(db, secrets);

  const found = await ollama;
  const demo = found || !offersNothing(config) ? null : await openDemo(closers);
  const rooms = await openRooms({ config, secrets, db, log, demo, ollama: found });
  closers.push(() => rooms.close());
  const app = createApp(rooms.deps, join(ROOT, 'web/dist'));
  closers.push(() => app.close());
  await listen(app.server, config);
  const { port } = app.server.address() as AddressInfo;
  return `http://${config.server.host === '0.0.0.0' || config.server.host === '::' ? 'localhost' : config.server.host}:${port}`;
}

/** Somebody to talk to when nobody was configured. */
async function openDemo(closers: (() => Promise<unknown> | void)[]): Promise<Demo> {
  const { startDemo } = await import('./endpoints/demo/server.ts');
  const demo = await startDemo();
  closers.push(() => demo.close());
  return demo;
}

/** Processes with different secrets would sign each other's users out and could not read each other's keys. */
async function assertSameSecrets({ query }: Db, { fingerprint, former }: Secrets): Promise<void> {
  await query.insert(facts).values({ name: 'secrets', value: fingerprint }).onConflictDoNothing();
  const [row] = await query.select().from(facts).where(eq(facts.name, 'secrets'));
  if (row?.value === fingerprint) return;
  if (!former.some((earlier) => earlier.fingerprint === row?.value))
    throw new Error(
      'The database belongs to a server with other secrets: use its secrets.json, or its JWT_SECRET, JWT_REFRESH_SECRET and CREDS_KEY.',
    );
  await query.update(facts).set({ value: fingerprint }).where(eq(facts.name, 'secrets'));
}

function listen(server: Server, { server: { host, port } }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(listenSentence(error, host, port))));
    // Which of its addresses `localhost` means differs between machines; every client finds this one.
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

function createLogger({ log }: Config): Logger {
  return pino({
    level: log.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runAsProgram();

/** Says where it listens in one line, and ends in order at SIGTERM and Ctrl-C, also while it is still starting. */
async function runAsProgram(): Promise<void> {
  process.title = 'parley';
  const starting = serve({ env: process.env, cwd: process.cwd() });
  let ending: Promise<void> | undefined;
  const end = async () => {
    const running = await starting.catch(() => null);
    await running?.close();
    process.exit(running ? 0 : 1);
  };
  // Ctrl-C under npm comes twice, so a second signal must not fall through to the default.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void (ending ??= end()));
  try {
    const { url } = await starting;
    if (!ending) process.stdout.write(`Parley is ready on ${url}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
