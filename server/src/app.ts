// HTTP and websockets of one server: tRPC, the REST paths, the web app's files.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket as NetSocket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { Hono } from 'hono';
import { WebSocketServer, type WebSocket } from 'ws';
import { isOwnOrigin } from './auth/cookies.ts';
import { contextOf } from './context.ts';
import type { Deps } from './deps.ts';
import { securityHeaders } from './headers.ts';
import { reportFault } from './report.ts';
import { appRouter } from './router.ts';
import { mountRest } from './rest/mount.ts';
import { serveWeb } from './web-files.ts';
import type { Context } from './trpc.ts';
import { watchSession } from './watch-session.ts';

export interface App {
  server: Server;
  /** Tells every socket to come back later and closes what is open. */
  close(): Promise<void>;
}

const SOCKETS_PER_USER = 50;
const FRAME_MAX = 256 * 1024;
const PING_MS = 25_000;
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
      sockets.broadcastReconnectNotification();
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

function acceptSockets(server: Server, deps: Deps) {
  const wss = new WebSocketServer({ noServer: true, maxPayload: FRAME_MAX, perMessageDeflate: false });
  const perUser = new Map<string, number>();
  server.on('upgrade', (request: IncomingMessage, socket: NetSocket, head: Buffer) => {
    // A page of another site must not speak as its visitor.
    const refused =
      !request.url?.startsWith('/trpc') ||
      !isOwnOrigin(request.headers.origin, request.headers.host, deps.config.server.domainClient);
    if (refused) return socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    wss.handleUpgrade(request, socket, head, (ws) => wss.emit('connection', ws, request));
  });
  const handler = applyWSSHandler({
    wss,
    router: appRouter,
    keepAlive: { enabled: true, pingMs: PING_MS, pongWaitMs: PING_MS },
    createContext: ({ res, info }) => openSocket(res, info.connectionParams?.token ?? null),
    onError: ({ error, path }) => reportFault(deps.log, error, path),
  });
  return {
    broadcastReconnectNotification: handler.broadcastReconnectNotification,
    end: () => wss.clients.forEach((ws) => ws.close(1012)),
  };

  async function openSocket(ws: WebSocket, token: string | null): Promise<Context> {
    const signedIn = token ? await deps.auth.authenticate(token) : null;
    if (!signedIn || !token) {
      ws.close(4401, 'unauthorized');
      return { deps, http: null, socket: ws, token, signedIn: null };
    }
    const count = (perUser.get(signedIn.userId) ?? 0) + 1;
    if (count > SOCKETS_PER_USER) ws.close(4429, 'too many connections');
    perUser.set(signedIn.userId, count);
    ws.once('close', () => {
      const left = (perUser.get(signedIn.userId) ?? 1) - 1;
      if (left === 0) perUser.delete(signedIn.userId);
      else perUser.set(signedIn.userId, left);
    });
    watchSession(deps.auth, ws, signedIn);
    return { deps, http: null, socket: ws, token, signedIn };
  }
}
