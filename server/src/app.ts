// HTTP and websockets of one server: tRPC, the REST paths, the web app's files.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { mountSocial } from './auth/social/routes.ts';
import { contextOf } from './context.ts';
import type { Deps } from './deps.ts';
import { securityHeaders } from './headers.ts';
import { reportFault } from './report.ts';
import { appRouter } from './router.ts';
import { mountRest } from './rest/mount.ts';
import { acceptSockets } from './sockets.ts';
import { IMPORT_MAX_MS, IMPORT_PATH, mountImport } from './transfer/door.ts';
import { serveWeb } from './web-files.ts';

export interface App {
  server: Server;
  /** Tells every socket to come back later and closes what is open. */
  close(): Promise<void>;
}

/** A batch longer than this is no browser's. */
const BATCH_MAX = 20;
/** How long the body of a request may take to arrive, except for a file that is imported. */
const BODY_MAX_MS = 60_000;

/** Threads may be long, and their text shrinks to a fifth and less. Everything else is not worth the work. */
const LONG_ANSWERS = /\bmessages\.(open|bodies|list)\b/;
const shorten = compress();

export function createApp(deps: Deps, webFolder: string): App {
  // Clients may end a path with a slash.
  const hono = new Hono<{ Bindings: HttpBindings }>({ strict: false });
  hono.use(securityHeaders(deps.config));
  hono.use(async (c, next) => {
    const { incoming } = c.env;
    const cut = () => void (incoming.complete || incoming.destroy());
    const isImport = c.req.path.replace(/\/$/, '') === IMPORT_PATH;
    const patience = isImport ? undefined : setTimeout(cut, BODY_MAX_MS);
    await next().finally(() => clearTimeout(patience));
  });
  hono.get('/health', (c) => c.text('OK'));
  hono.use('/trpc/*', (c, next) => (LONG_ANSWERS.test(c.req.path) ? shorten(c, next) : next()));
  hono.all('/trpc/*', (c) => answerTrpc(deps, c.req.raw, c.env.incoming));
  mountImport(hono, deps);
  mountRest(hono, deps);
  mountSocial(hono, deps);
  serveWeb(hono, deps, webFolder);
  // Node has one limit for all requests: it is that of the longest.
  const listener = getRequestListener(hono.fetch, { overrideGlobalObjects: false });
  const server = createServer({ requestTimeout: IMPORT_MAX_MS }, listener);
  const sockets = acceptSockets(server, deps);
  return {
    server,
    async close() {
      sockets.end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerTrpc(deps: Deps, request: Request, incoming: IncomingMessage): Promise<Response> | Response {
  if (new URL(request.url).pathname.split(',').length > BATCH_MAX)
    return new Response('Too many calls', { status: 400 });
  return fetchRequestHandler({
    endpoint: '/trpc',
    req: request,
    router: appRouter,
    // A query whose input is longer than an address can be comes as a POST.
    allowMethodOverride: true,
    createContext: ({ resHeaders }) =>
      contextOf(deps, request, incoming, (name, value) => resHeaders.append(name, value)),
    onError: ({ error, path }) => reportFault(deps.log, error, path),
  });
}
