// The HTTP server: tRPC over HTTP and websockets, the REST API, and the web app's files.
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { requestId } from 'hono/request-id';
import { routePath } from 'hono/route';
import type { Logger } from 'pino';
import { cutStreamsWithSession } from './http/session-watch.ts';
import { startupData } from './catalog/startup-data.ts';
import { appRouter } from './router.ts';
import type { Deps } from './services.ts';
import { mountDomains } from './mount-domains.ts';
import { refuseFrames } from './http/artifact-frames.ts';
import { securityHeaders } from './http/security-headers.ts';
import type { HttpEnv } from './platform/requests/http-env.ts';
import { createForeignHost, refuseForeignHosts } from './platform/requests/own-hosts.ts';
import { mountHealth, mountMetrics } from './http/probe-routes.ts';
import { logError } from './platform/log-error.ts';
import type { MetricsExport } from './platform/metrics.ts';
import { refusedRequest, respondRefused } from './rest/errors.ts';
import { INTERNAL_ERROR_MESSAGE } from './platform/reasons.ts';
import { acceptSockets } from './http/websockets.ts';
import { IMPORT_MAX_MS, IMPORT_PATHS } from './transfer/import-route.ts';
import { isUpload } from './files/upload/upload-route.ts';
import { mountTrpc } from './http/trpc-http.ts';
import { cutUnreadResponses, followResponses } from './http/unread-responses.ts';
import { serveWeb } from './http/static-files.ts';

export interface App {
  server: Server;
  /** From now on GET /ready says no. Requests are answered as before. */
  announceStop(): void;
  /**
   * Accepts no more connections and tells every websocket to reconnect, at random moments within `ms` milliseconds.
   * A websocket that is reading an answer is told when the answer has ended; the others are awaited. Requests that are
   * being answered go on.
   */
  drain(ms: number): Promise<void>;
  /** Closes all connections. One with an unfinished response stays open until it is sent, at most for `ms` milliseconds. */
  close(ms?: number): Promise<void>;
}

/**
 * How long a connection is kept between two requests: longer than a proxy in front keeps its own, and than people think
 * about a question. A busy event loop accepts one new connection a turn.
 */
const IDLE_MS = 75_000;
/** How long connections stay open for what was written at the end of the grace, in milliseconds. */
const LAST_FRAMES_MS = 1000;
/** Time limit for a request body to arrive, except for imports and uploads. */
const BODY_MAX_MS = 60_000;

export function createApp(deps: Deps, webFolder: string, metrics: MetricsExport | null = null): App {
  // Allows a trailing slash.
  const hono = new Hono<HttpEnv>({ strict: false });
  const { readiness } = deps.presence;
  hono.onError((error, c) => respondError(deps.log, error, c));
  hono.use(requestId(), nameResponse);
  hono.use(async (c, next) => {
    await next();
    // The next request of a connection that is kept goes to another process.
    if (readiness.isStopping()) c.header('Connection', 'close');
  });
  if (metrics) hono.use(countRequests(metrics));
  hono.use(securityHeaders(deps.config));
  hono.use(cutStreamsWithSession(deps.auth, deps.sessions));
  hono.use(cutUnreadResponses(deps));
  hono.use(async (c, next) => {
    const { incoming } = c.env;
    const cut = () => void (incoming.complete || incoming.destroy());
    const isLong = IMPORT_PATHS.includes(c.req.path.replace(/\/$/, '')) || isUpload(c.req.method, c.req.path);
    const timer = isLong ? undefined : setTimeout(cut, BODY_MAX_MS);
    await next().finally(() => clearTimeout(timer));
  });
  mountHealth(hono, readiness);
  const { metricsToken } = deps.config.server;
  if (metrics && metricsToken) mountMetrics(hono, metrics, metricsToken);
  // After what is asked by an address: probes and metrics.
  const foreignHost = createForeignHost(deps.config);
  hono.use(refuseForeignHosts(foreignHost));
  mountTrpc(hono, appRouter, deps);
  mountDomains(hono, deps);
  hono.get('/artifact/*', refuseFrames(deps.config.startup.artifacts));
  serveWeb(hono, webFolder, () => startupData(deps.config, deps.registration));
  // Node has one time limit for all requests: that of the longest, an import.
  // HTTP/1.0 needs no Host, and load balancers probe by it.
  const listener = getRequestListener(hono.fetch, { overrideGlobalObjects: false, hostname: 'localhost' });
  const server = createServer({ requestTimeout: IMPORT_MAX_MS, keepAliveTimeout: IDLE_MS }, listener);
  const sockets = acceptSockets(server, appRouter, deps, foreignHost);
  let closed: Promise<unknown> | undefined;
  const responses = followResponses(server, () => closed !== undefined);
  const stopListening = () => (closed ??= new Promise((resolve) => server.close(resolve)));
  return {
    server,
    announceStop: readiness.announceStop,
    async drain(ms) {
      readiness.announceStop();
      void stopListening();
      await sockets.drain(ms);
    },
    async close(ms = 0) {
      const lastMs = Math.max(ms, LAST_FRAMES_MS);
      await Promise.all([sockets.end(lastMs), responses.ended(lastMs)]);
      server.closeAllConnections();
      await stopListening();
    },
  };
}

/**
 * Answers what no handler expected, such as a session that cannot be looked up. Without this, Hono prints the error with
 * its message, which may be a statement with its values.
 */
function respondError(log: Logger, error: Error, c: Context<HttpEnv>): Response {
  logError(log, error, {
    event: 'request.failed',
    path: `${c.req.method} ${routePath(c)}`,
    requestId: c.var.requestId,
  });
  const refused = refusedRequest(error);
  return refused ? respondRefused(refused) : c.json({ message: INTERNAL_ERROR_MESSAGE }, 500);
}

/** Hono names only responses that its own context makes; tRPC, REST and files make theirs. */
const nameResponse: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  c.header('X-Request-Id', c.var.requestId);
};

/** Counts requests by route pattern, so that ids in paths create no labels. */
function countRequests(metrics: MetricsExport): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const began = performance.now();
    await next();
    metrics.requestEnded(c.req.method, routePath(c), c.res.status, (performance.now() - began) / 1000);
  };
}
