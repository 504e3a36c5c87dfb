// HTTP and websockets of one server: tRPC, the REST paths, the web app's files.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { Hono } from 'hono';
import { contextOf } from './context.ts';
import type { Deps } from './deps.ts';
import { securityHeaders } from './headers.ts';
import { reportFault } from './report.ts';
import { appRouter } from './router.ts';
import { mountRest } from './rest/mount.ts';
import { acceptSockets } from './sockets.ts';
import { serveWeb } from './web-files.ts';

export interface App {
  server: Server;
  /** Tells every socket to come back later and closes what is open. */
  close(): Promise<void>;
}

/** A batch longer than this is no browser's. */
const BATCH_MAX = 20;

export function createApp(deps: Deps, webFolder: string): App {
  const hono = new Hono<{ Bindings: HttpBindings }>();
  hono.use(securityHeaders(deps.config));
  hono.get('/health', (c) => c.text('OK'));
  hono.all('/trpc/*', (c) => answerTrpc(deps, c.req.raw, c.env.incoming));
  mountRest(hono, deps);
  serveWeb(hono, deps, webFolder);
  const server = createServer(getRequestListener(hono.fetch, { overrideGlobalObjects: false }));
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
    createContext: ({ resHeaders }) =>
      contextOf(deps, request, incoming, (name, value) => resHeaders.append(name, value)),
    onError: ({ error, path }) => reportFault(deps.log, error, path),
  });
}
