// Settings of the HTTP server and the network.
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { UrlConnection } from '@parley/db/client';
import type { PrepareMode } from '@parley/db/pooler';
import { withoutTrailingSlash } from '../addresses.ts';
import { configError } from '../config-error.ts';
import type { Env } from '../env/env.ts';

export type ServerConfig = {
  host: string;
  /** 0 lets the system choose a port. */
  port: number;
  /** How many serve at the port. */
  processes: number;
  /** An absolute path. */
  dataDir: string;
  /** The site's URL for browsers, and the server's own, without trailing slash. */
  domainClient: string;
  domainServer: string;
  /** Further names of the site: `host` or `.suffix`. */
  allowedHosts: string[];
  /** Number of trusted proxies in front: that many entries of X-Forwarded-For are trusted. */
  trustProxy: number;
  /** Ask search engines to stay away. */
  noIndex: boolean;
  /** The token for `GET /metrics`; undefined disables the route. */
  metricsToken: string | undefined;
  /** How long a server that is told to stop still takes requests, while GET /ready says no, in milliseconds. */
  drainMs: number;
  /** How long it waits for answers that run, then, in milliseconds. */
  shutdownGraceMs: number;
  /** The proxy for outbound requests. */
  outboundProxy: string | undefined;
  /** Hosts that users' URLs may always name: `host`, `host:port` or `.suffix`. */
  egressAllowedHosts: string[];
};

export type LogConfig = { level: NonNullable<Env['LOG_LEVEL']>; json: boolean };

export type DatabaseConfig = ({ kind: 'embedded' } | ExternalDatabase) & {
  /** `max` of the database client's `connect`. */
  poolSize: number;
};

type ExternalDatabase = Pick<UrlConnection, 'url' | 'directUrl'> & { kind: 'external'; prepare: PrepareMode };

export function serverConfig(env: Env, cwd: string): ServerConfig {
  const port = env.PORT ?? 3080;
  const local = `http://localhost:${port}`;
  return {
    host: env.HOST ?? 'localhost',
    port,
    processes: processCount(env),
    dataDir: resolve(cwd, env.DATA_DIR ?? 'data'),
    // One process serves both, so either URL is the default for the other.
    domainClient: withoutTrailingSlash(env.DOMAIN_CLIENT ?? env.DOMAIN_SERVER ?? local),
    domainServer: withoutTrailingSlash(env.DOMAIN_SERVER ?? env.DOMAIN_CLIENT ?? local),
    allowedHosts: env.ALLOWED_HOSTS ?? [],
    trustProxy: env.TRUST_PROXY ?? 0,
    noIndex: env.NO_INDEX ?? true,
    metricsToken: env.METRICS_TOKEN,
    drainMs: (env.DRAIN_SECONDS ?? 0) * 1000,
    shutdownGraceMs: (env.SHUTDOWN_GRACE_SECONDS ?? 8) * 1000,
    outboundProxy: env.PROXY,
    egressAllowedHosts: env.EGRESS_ALLOWED_HOSTS ?? [],
  };
}

/** `auto` is one for each core, and with the embedded database at most as many as it has connections for. */
function processCount({ PROCESSES = 1, DATABASE_URL }: Env): number {
  const cores = availableParallelism();
  if (PROCESSES === 'auto') return DATABASE_URL ? cores : Math.min(cores, EMBEDDED_PROCESSES_MAX);
  if (DATABASE_URL || PROCESSES <= EMBEDDED_PROCESSES_MAX) return PROCESSES;
  throw configError(
    `PROCESSES is at most ${EMBEDDED_PROCESSES_MAX} with the embedded database: set DATABASE_URL for more.`,
  );
}

const POOL_SIZE = 10;
const POOL_SIZE_MIN = 2;
const EMBEDDED_PROCESSES_MAX = 6;

export function logConfig(env: Env): LogConfig {
  return { level: env.LOG_LEVEL ?? (env.DEBUG_CONSOLE ? 'debug' : 'info'), json: env.CONSOLE_JSON ?? false };
}

export function databaseConfig(env: Env): DatabaseConfig {
  // Several processes share what one would open.
  const poolSize = env.DATABASE_POOL_SIZE ?? Math.max(POOL_SIZE_MIN, Math.ceil(POOL_SIZE / processCount(env)));
  if (!env.DATABASE_URL) return { kind: 'embedded', poolSize };
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, DATABASE_PREPARE: prepare = 'auto' } = env;
  return { kind: 'external', url, directUrl, prepare, poolSize };
}
