// The websocket door: who may open one, how many, and for how long.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket as NetSocket } from 'node:net';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { WebSocketServer, type WebSocket } from 'ws';
import { isOwnOrigin } from './auth/cookies.ts';
import type { Client } from './client.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { ipOf } from './http.ts';
import { reportFault } from './report.ts';
import { appRouter } from './router.ts';
import type { Context } from './trpc.ts';
import { watchSession } from './watch-session.ts';

const PATH = '/trpc';
const SOCKETS_PER_USER = 50;
const FRAME_MAX = 256 * 1024;
/** Messages of one socket: so many a second, and as many at once as a page with much to follow begins with. */
const MESSAGES_PER_SECOND = 20;
const MESSAGES_AT_ONCE = 100;
const PING_MS = 25_000;
/** How long a socket may take to say whose it is. */
const INTRODUCTION_MS = 5000;
/** How long a closing server waits for a socket whose reader is paused or gone. */
const FAREWELL_MS = 1000;

export interface Sockets {
  /** Tells every client to come back later, and closes. */
  end(): void;
}

export function acceptSockets(server: Server, deps: Deps): Sockets {
  const wss = new WebSocketServer({ noServer: true, maxPayload: FRAME_MAX, perMessageDeflate: false });
  const crowd = createCrowd();
  const expectIntroduction = createIntroductions();
  server.on('upgrade', (request: IncomingMessage, socket: NetSocket, head: Buffer) => {
    // From here on nobody else listens for its errors, and one that nobody hears ends the process.
    socket.on('error', () => socket.destroy());
    if (!isWelcome(request, deps.config)) return socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    wss.handleUpgrade(request, socket, head, (ws) => wss.emit('connection', ws, request));
  });
  wss.on('connection', expectIntroduction.from);
  wss.on('connection', limitMessages);
  wss.on('connection', sendTogether);
  const handler = applyWSSHandler({
    wss,
    router: appRouter,
    keepAlive: { enabled: true, pingMs: PING_MS, pongWaitMs: PING_MS },
    createContext: ({ req, res, info }) =>
      openSocket(res, clientOf(deps.config, req), info.connectionParams?.token ?? null),
    onError: ({ error, path }) => reportFault(deps.log, error, path),
  });
  return {
    end() {
      handler.broadcastReconnectNotification();
      for (const ws of wss.clients) ws.close(1012);
      setTimeout(() => wss.clients.forEach((ws) => ws.terminate()), FAREWELL_MS).unref();
    },
  };

  async function openSocket(ws: WebSocket, client: Client, token: string | null): Promise<Context> {
    expectIntroduction.done(ws);
    const signedIn = token ? await deps.auth.authenticate(token) : null;
    const context = { deps, http: null, client, socket: ws, token, signedIn };
    // One that has left meanwhile says no farewell any more: it must not be counted or watched.
    if (!signedIn || ws.readyState !== ws.OPEN) {
      ws.close(4401, 'unauthorized');
      return { ...context, signedIn: null };
    }
    crowd.add(ws, signedIn.userId);
    watchSession(deps.auth, ws, signedIn);
    return context;
  }
}

function clientOf(config: Config, request: IncomingMessage): Client {
  return { ip: ipOf(config, request), userAgent: request.headers['user-agent'] ?? null };
}

/** A page of another site must not speak as its visitor. */
function isWelcome({ url, headers }: IncomingMessage, { server }: Config): boolean {
  const [path] = (url ?? '').split('?');
  return path === PATH && isOwnOrigin(headers.origin, headers.host, server.domainClient);
}

/** Closes a socket that talks faster than any page does. */
function limitMessages(ws: WebSocket): void {
  let left = MESSAGES_AT_ONCE;
  let at = Date.now();
  ws.on('message', () => {
    const now = Date.now();
    left = Math.min(MESSAGES_AT_ONCE, left + ((now - at) / 1000) * MESSAGES_PER_SECOND) - 1;
    at = now;
    if (left < 0) ws.close(4429, 'too many messages');
  });
}

/** What is sent to a socket in one turn of the event loop leaves in one packet: a call of the system costs most of it. */
function sendTogether(ws: WebSocket, { socket }: IncomingMessage): void {
  const send = ws.send.bind(ws) as (...args: unknown[]) => void;
  let isOpen = false;
  ws.send = (...args: unknown[]) => {
    if (!isOpen) {
      isOpen = true;
      socket.cork();
      setImmediate(() => {
        isOpen = false;
        socket.uncork();
      });
    }
    send(...args);
  };
}

/** Closes a socket that does not say whose it is. */
function createIntroductions() {
  const waiting = new WeakMap<WebSocket, NodeJS.Timeout>();
  return {
    from(ws: WebSocket): void {
      const patience = setTimeout(() => ws.close(4401, 'unauthorized'), INTRODUCTION_MS);
      waiting.set(ws, patience);
      ws.once('close', () => clearTimeout(patience));
    },
    done: (ws: WebSocket): void => clearTimeout(waiting.get(ws)),
  };
}

/** Closes the sockets of a user beyond the limit. */
function createCrowd() {
  const open = new Map<string, number>();
  return {
    add(ws: WebSocket, userId: string): void {
      const count = (open.get(userId) ?? 0) + 1;
      if (count > SOCKETS_PER_USER) ws.close(4429, 'too many connections');
      open.set(userId, count);
      ws.once('close', () => remove(userId));
    },
  };

  function remove(userId: string): void {
    const left = (open.get(userId) ?? 1) - 1;
    if (left === 0) open.delete(userId);
    else open.set(userId, left);
  }
}
