import { resolve } from 'node:path';
import { withoutTrailingSlash } from './addresses.ts';
import type { Env } from './env.ts';

export type ServerConfig = {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** Absolute. */
  dataDir: string;
  /** The site's address for browsers, and the server's own, without trailing slash. */
  domainClient: string;
  domainServer: string;
  /** How many proxies in front are ours: that many entries of X-Forwarded-For are believed. */
  trustProxy: number;
  /** Ask search engines to stay away. */
  noIndex: boolean;
  /** The proxy for calls to the outside. */
  outboundProxy: string | undefined;
  /** Hosts that may be called at addresses of users' whatever they are: `host`, `host:port` or `.suffix`. */
  egressAllowedHosts: string[];
};

export type LogConfig = { level: NonNullable<Env['LOG_LEVEL']>; json: boolean };

export type DatabaseConfig = { kind: 'embedded' } | { kind: 'external'; url: string };

export function serverConfig(env: Env, cwd: string): ServerConfig {
  const port = env.PORT ?? 3080;
  const local = `http://localhost:${port}`;
  return {
    host: env.HOST ?? 'localhost',
    port,
    dataDir: resolve(cwd, env.DATA_DIR ?? 'data'),
    // One process serves both, so an address given once is good for both.
    domainClient: withoutTrailingSlash(env.DOMAIN_CLIENT ?? env.DOMAIN_SERVER ?? local),
    domainServer: withoutTrailingSlash(env.DOMAIN_SERVER ?? env.DOMAIN_CLIENT ?? local),
    trustProxy: env.TRUST_PROXY ?? 0,
    noIndex: env.NO_INDEX ?? true,
    outboundProxy: env.PROXY,
    egressAllowedHosts: env.EGRESS_ALLOWED_HOSTS ?? [],
  };
}

export function logConfig(env: Env): LogConfig {
  return { level: env.LOG_LEVEL ?? (env.DEBUG_CONSOLE ? 'debug' : 'info'), json: env.CONSOLE_JSON ?? false };
}

export function databaseConfig(env: Env): DatabaseConfig {
  return env.DATABASE_URL ? { kind: 'external', url: env.DATABASE_URL } : { kind: 'embedded' };
}
