// Opens the database, starts the services and listens; shuts down in reverse order.
import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '@parley/db/client';
import { migrate } from '@parley/db/migrate';
import { metadata } from '@parley/db/tables/metadata';
import { eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config/config.ts';
import { MIGRATIONS, PRODUCT_ROOT } from './config/product-root.ts';
import { loadConfig, type LoadFrom } from './load-config.ts';
import { loadSecrets, type Secrets } from './config/parts/secrets.ts';
import { openDatabase } from './platform/database.ts';
import { assertSameFolder } from './files/folder-guard.ts';
import { findOllama } from './catalog/find-ollama.ts';
import { describeEndpoints } from './catalog/endpoint-status.ts';
import { offersNothing } from './catalog/registry.ts';
import { installOutboundProxy } from './platform/outbound-proxy.ts';
import { createLogger } from './platform/logger.ts';
import { createMetrics, type MetricsExport } from './platform/metrics.ts';
import type { ServiceParts } from './open-base.ts';
import {
  closeInOrder,
  closeMaxMs,
  RECONNECT_WITHIN_MS,
  reconnectMs,
  type Running,
  type ShutdownStep,
} from './shutdown.ts';
import { createServices, type Services } from './services.ts';

/** How long connections may take to end after the grace of their answers, in milliseconds. */
const HTTP_END_MAX_MS = 3000;
/** The driver waits three seconds for statements under way. */
const DATABASE_END_MAX_MS = 4000;
type StartFrom = LoadFrom & Pick<ServiceParts, 'extractor' | 'timings'>;

/** Starts a server from the environment. A failure is thrown as an error with one sentence. */
export async function serve(from: StartFrom): Promise<Running> {
  return serveConfigured(await loadConfig(from), from);
}

/** As `serve`, for one process of `processes`. */
export async function serveConfigured(
  config: Config,
  parts: Pick<StartFrom, 'extractor' | 'timings'> = {},
): Promise<Running> {
  const opened: Opened = { steps: [], log: null, isReplaced: false };
  const close: Running['close'] = ({ isReplaced = false } = {}) => {
    opened.isReplaced = isReplaced;
    return closeInOrder(opened.steps.splice(0).toReversed(), opened.log);
  };
  try {
    return { ...(await start(config, parts, opened)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What has been started so far. */
interface Opened {
  /** They are carried out in reverse. */
  steps: ShutdownStep[];
  log: Logger | null;
  isReplaced: boolean;
}

async function start(config: Config, from: Pick<StartFrom, 'extractor' | 'timings'>, opened: Opened) {
  const { steps } = opened;
  const log = await createLogger(config.log);
  opened.log = log;
  if (isFirst()) for (const warning of config.warnings) log.warn(warning);
  if (config.server.outboundProxy)
    steps.push({ name: 'outbound proxy', close: await installOutboundProxy(config.server.outboundProxy) });
  if (isFirst() && !offersNothing(config)) log.info(describeEndpoints(config));
  // Detects Ollama while the database opens, without delaying the start.
  const ollama = offersNothing(config) && config.endpoints.ollamaURL ? findOllama(config.endpoints.ollamaURL) : null;
  const { db, secrets, leaveNotice } = await openStored(config, log, steps);
  const found = await ollama;
  const demo = found || !offersNothing(config) ? null : openDemo;
  const metrics = config.server.metricsToken ? await createMetrics(db) : null;
  if (metrics) steps.push({ name: 'metrics', close: metrics.close });
  const parts = {
    config,
    secrets,
    db,
    log,
    demo,
    ollama: found,
    ...(metrics && { metrics }),
    ...(from.extractor && { extractor: from.extractor }),
  };
  const { shutdownGraceMs } = config.server;
  const services = await createServices({ ...parts, timings: { ...from.timings, shutdownGraceMs } });
  steps.push({ name: 'services', close: services.close, maxMs: Infinity });
  const url = await openHttp(services, metrics, opened);
  // Without JSON logs `runAsProgram` prints this line.
  if (config.log.json) log.info({ event: 'server.listening', url }, 'The server listens');
  const stopped = () => log.info({ event: 'server.stopped' }, 'The server has stopped');
  steps.unshift({ name: 'last line of the log', close: stopped });
  steps.push({ name: 'notice for the next start', close: leaveNotice });
  const draining = () => log.info({ event: 'server.draining' }, 'The server finishes what runs and stops');
  steps.push({ name: 'first line of the log', close: draining });
  return { url, logsJson: config.log.json, log, closeMaxMs: closeMaxMs(config) };
}

/** The database, migrated, and the secrets and the folder that belong to it. */
async function openStored(config: Config, log: Logger, steps: ShutdownStep[]) {
  const secrets = await loadSecrets(config.server.dataDir, config.env);
  const { connection, stuck, close, announceStop: leaveNotice } = await openDatabase(config);
  for (const pid of stuck) log.warn({ event: 'server.stuck', pid }, stuckSentence(pid));
  steps.push({ name: 'PostgreSQL', close, maxMs: Infinity });
  if (connection.kind === 'url' && connection.prepare === false)
    log.info(
      { event: 'db.unnamed' },
      'Statements are sent to the pooler without names: the database parses each again',
    );
  await migrate(connection, MIGRATIONS);
  const onSlow = (statement: string, ms: number) =>
    log.debug({ event: 'db.slow', statement, ms }, 'A statement took long');
  const db = connect(connection, { max: config.database.poolSize, ...(log.isLevelEnabled('debug') && { onSlow }) });
  steps.push({ name: 'database connections', close: db.end, maxMs: DATABASE_END_MAX_MS });
  await assertSameSecrets(db, secrets);
  await assertSameFolder(db, config);
  return { db, secrets, leaveNotice };
}

/** Of several processes at one port, one says what all would. */
function isFirst(): boolean {
  return cluster.worker === undefined || cluster.worker.id === 1;
}

/** Listens, and returns the URL. */
async function openHttp({ deps, endReplies }: Services, metrics: MetricsExport | null, opened: Opened) {
  const { steps } = opened;
  const { drainMs, shutdownGraceMs } = deps.config.server;
  const app = createApp(deps, join(PRODUCT_ROOT, 'web/dist'), metrics);
  // Answers and their readers share one grace.
  let graceEnd = 0;
  const endAnswers = () => {
    graceEnd = performance.now() + shutdownGraceMs;
    return endReplies();
  };
  steps.push({
    name: 'HTTP',
    close: () => app.close(graceEnd - performance.now()),
    maxMs: shutdownGraceMs + HTTP_END_MAX_MS,
  });
  steps.push({ name: 'answers', close: endAnswers, maxMs: Infinity });
  const leave = () => app.drain(opened.isReplaced ? RECONNECT_WITHIN_MS : reconnectMs(drainMs));
  steps.push({ name: 'websockets', close: leave, maxMs: Infinity });
  const announceStop = () => {
    app.announceStop();
    return opened.isReplaced ? undefined : sleep(drainMs);
  };
  steps.push({ name: 'load balancers', close: announceStop, maxMs: Infinity });
  return listen(app.server, deps.config);
}

function stuckSentence(pid: number): string {
  return `Process ${pid} on this data folder was told to stop and has not ended. End it with: kill -9 ${pid}`;
}

/** The demo provider, for a server without any endpoint: its texts are read when there is none. */
async function openDemo() {
  const { createDemoStream } = await import('./providers/demo/stream.ts');
  return { stream: createDemoStream() };
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

/** @returns the URL, whose port the system chooses for port 0 */
function listen(server: Server, { server: { host, port } }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(listenSentence(error, host, port))));
    // `localhost` resolves to different addresses on different machines; all clients reach this one.
    server.listen(port, host === 'localhost' ? '127.0.0.1' : host, () => {
      const bound = server.address() as AddressInfo;
      resolve(`http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${bound.port}`);
    });
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
