// Websocket connections: authentication, limits and shutdown.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket as NetSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listIn, parseJson } from '@parley/schema/json';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { WebSocketServer, type WebSocket } from 'ws';
import { isOwnOrigin } from '../platform/requests/cookies.ts';
import { closeWithSession, UNAUTHORIZED, type SessionWatch } from './session-watch.ts';
import type { Client } from '../platform/requests/client.ts';
import type { Config } from '../config/config.ts';
import type { Timings } from '../config/timings.ts';
import type { Metrics } from '../platform/metrics.ts';
import { MISDIRECTED, type ForeignHost } from '../platform/requests/own-hosts.ts';
import { clientIp } from '../platform/requests/request-info.ts';
import { logError } from '../platform/log-error.ts';
import { untilIdle, type OpenCalls } from './open-calls.ts';
import type { CallServices, Context, RouterWith } from './trpc.ts';
import { UNREAD_MAX } from './unread-responses.ts';
import type { RequestServices } from '../platform/requests/request-services.ts';

const PATH = '/trpc';
const SOCKETS_PER_USER = 50;
const FRAME_MAX = 256 * 1024;
/**
 * A socket with more unread bytes is full, and is cut off where all sockets of its user together have too many: more
 * than streams leave unread, apart from whole messages. Streams wait for their readers (`backpressure.ts`), answers of
 * calls do not.
 */
const FULL_SOCKET_BYTES = 1024 * 1024;
/** Message rate limit of one socket: per second, and the burst that a page with many subscriptions starts with. */
const MESSAGES_PER_SECOND = 20;
const MESSAGES_AT_ONCE = 100;
const PING_MS = 25_000;
/** A message of tRPC's: its clients open a new connection, and continue there. */
const RECONNECT = JSON.stringify({ id: null, method: 'reconnect' });
/** "Service restart". */
const RESTART_CLOSE_CODE = 1012;
/** How long a shutdown waits for a socket whose client is paused or gone. */
const CLOSE_GRACE_MS = 1000;

export interface Sockets {
  /**
   * Tells every client to reconnect, and closes, at random moments within `ms` milliseconds; resolves after the last. A
   * client that is reading an answer at that moment is told when the answer has ended, and is not waited for here.
   */
  drain(ms: number): Promise<void>;
  /** Ends every socket: one that is reading an answer when the answer has ended, at the latest after `ms` milliseconds. */
  end(ms: number): Promise<void>;
}

interface SocketServices extends RequestServices, CallServices {
  metrics: Metrics | null;
  sessions: SessionWatch;
  timings: Pick<Timings, 'socketAuthTimeoutMs'>;
}

export function acceptSockets<Services extends SocketServices>(
  server: Server,
  router: RouterWith<Services>,
  deps: Services,
  foreignHost: ForeignHost,
): Sockets {
  const wss = new WebSocketServer({ noServer: true, maxPayload: FRAME_MAX, perMessageDeflate: false });
  const userSockets = limitSocketsPerUser();
  let isOriginReported = false;
  const authDeadline = createAuthDeadline(deps.timings.socketAuthTimeoutMs);
  server.on('upgrade', (request: IncomingMessage, socket: NetSocket, head: Buffer) => {
    // Nothing else handles this socket's errors, and an unhandled one ends the process.
    socket.on('error', () => socket.destroy());
    if (!isAllowedUpgrade(request, deps.config)) {
      reportOrigin(request);
      return socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    }
    if (foreignHost(request.headers) !== undefined)
      return socket.end(`HTTP/1.1 ${MISDIRECTED} Misdirected Request\r\nConnection: close\r\n\r\n`);
    wss.handleUpgrade(request, socket, head, (ws) => wss.emit('connection', ws, request));
  });
  wss.on('connection', (ws) => {
    deps.metrics?.socketOpened();
    ws.once('close', () => deps.metrics?.socketClosed());
  });
  wss.on('connection', authDeadline.from);
  wss.on('connection', limitMessages);
  wss.on('connection', (ws, request) => boundSends(ws, request, userSockets.unread));
  applyWSSHandler({
    wss,
    router,
    keepAlive: { enabled: true, pingMs: PING_MS, pongWaitMs: PING_MS },
    createContext: ({ req, res, info }) =>
      openSocket(res, clientOf(deps.config, req), info.connectionParams?.token ?? null),
    onError: ({ error, path, ctx }) =>
      logError(deps.log, error, {
        event: 'request.failed',
        path,
        requestId: ctx?.requestId,
        userId: ctx?.signedIn?.userId,
      }),
  });
  return endSockets(wss, deps.openCalls);

  /** Once: behind a proxy that changes the Host header nobody gets in, and only this line of the log has the reason. */
  function reportOrigin({ headers: { origin, host } }: IncomingMessage): void {
    if (isOriginReported || origin === undefined) return;
    isOriginReported = true;
    const advice = 'If it is the address of this site, set DOMAIN_CLIENT to it';
    deps.log.warn({ event: 'origin.refused', origin, host }, `A page of another origin was refused. ${advice}`);
  }

  async function openSocket(ws: WebSocket, client: Client, token: string | null): Promise<Context<Services>> {
    authDeadline.done(ws);
    const signedIn = token ? await deps.auth.authenticate(token) : null;
    const context = { deps, http: null, client, requestId: randomUUID(), socket: ws, token, signedIn };
    // A socket that closed meanwhile emits no further close event, so it must not be counted or watched.
    if (!signedIn || ws.readyState !== ws.OPEN) {
      ws.close(UNAUTHORIZED, 'unauthorized');
      return { ...context, signedIn: null };
    }
    userSockets.add(ws, signedIn.userId);
    closeWithSession(deps.sessions, ws, signedIn);
    return context;
  }
}

function endSockets({ clients }: WebSocketServer, openCalls: OpenCalls): Sockets {
  let isOver = false;
  return {
    async drain(ms) {
      await Promise.all(Array.from(clients, (ws) => drainSocket(ws, Math.random() * ms)));
    },
    async end(ms) {
      const limit = setTimeout(() => (isOver = true), ms);
      await Promise.all(Array.from(clients, endUnused));
      clearTimeout(limit);
    },
  };

  async function drainSocket(ws: WebSocket, afterMs: number): Promise<void> {
    await sleep(afterMs);
    const told = endUnused(ws);
    if (!openCalls.isUsing(ws)) await told;
  }

  /** Ends a socket as soon as it is reading no answer. */
  async function endUnused(ws: WebSocket): Promise<void> {
    await untilIdle(() => !isOver && ws.readyState === ws.OPEN && openCalls.isUsing(ws), Infinity);
    endSocket(ws);
  }
}

function endSocket(ws: WebSocket): void {
  if (ws.readyState === ws.OPEN) ws.send(RECONNECT);
  ws.close(RESTART_CLOSE_CODE);
  setTimeout(() => ws.terminate(), CLOSE_GRACE_MS).unref();
}

function clientOf(config: Config, request: IncomingMessage): Client {
  return { ip: clientIp(config, request), userAgent: request.headers['user-agent'] ?? null };
}

/**
 * Rejects cross-site upgrades, which the browser would send on behalf of its user, and a Host header that forms no URL:
 * tRPC's handler parses it outside of any error handling, so an exception would end the process.
 */
function isAllowedUpgrade({ url = '', headers }: IncomingMessage, { server }: Config): boolean {
  const [path] = url.split('?');
  if (path !== PATH || !URL.canParse(url, `http://${headers.host ?? 'localhost'}`)) return false;
  return isOwnOrigin(headers.origin, headers.host, server.domainClient);
}

/** Closes a socket above the message rate limit. Messages beyond it are dropped, since a listener cannot stop others. */
function limitMessages(ws: WebSocket): void {
  let left = MESSAGES_AT_ONCE;
  let at = Date.now();
  const emit = ws.emit.bind(ws) as (event: string, ...args: unknown[]) => boolean;
  ws.emit = (event: string, ...args: unknown[]) => {
    if (event !== 'message') return emit(event, ...args);
    const now = Date.now();
    left = Math.min(MESSAGES_AT_ONCE, left + ((now - at) / 1000) * MESSAGES_PER_SECOND) - callsIn(String(args[0]));
    at = now;
    if (left >= 0) return emit(event, ...args);
    ws.close(4429, 'too many messages');
    return false;
  };
}

/** A message is one call, or an array of them. */
function callsIn(message: string): number {
  if (!message.trimStart().startsWith('[')) return 1;
  return Math.max(1, listIn(parseJson(message)).length);
}

/**
 * Sends all frames of one turn of the event loop in one packet, since the system call costs most, and closes a socket
 * that reads too little.
 */
function boundSends(ws: WebSocket, { socket }: IncomingMessage, unread: (ws: WebSocket) => number): void {
  const send = ws.send.bind(ws) as (...args: unknown[]) => void;
  let isOpen = false;
  ws.send = (...args: unknown[]) => {
    if (ws.bufferedAmount > FULL_SOCKET_BYTES && unread(ws) > UNREAD_MAX) return ws.terminate();
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

/** Closes a socket that does not authenticate in time. */
function createAuthDeadline(ms: number) {
  const waiting = new WeakMap<WebSocket, NodeJS.Timeout>();
  return {
    from(ws: WebSocket): void {
      const timer = setTimeout(() => ws.close(UNAUTHORIZED, 'unauthorized'), ms);
      waiting.set(ws, timer);
      ws.once('close', () => clearTimeout(timer));
    },
    done: (ws: WebSocket): void => clearTimeout(waiting.get(ws)),
  };
}

/** Closes a user's sockets above the limit. */
function limitSocketsPerUser() {
  const open = new Map<string, Set<WebSocket>>();
  const ofUser = new WeakMap<WebSocket, ReadonlySet<WebSocket>>();
  return {
    add(ws: WebSocket, userId: string): void {
      const sockets = open.get(userId) ?? new Set();
      open.set(userId, sockets.add(ws));
      ofUser.set(ws, sockets);
      if (sockets.size > SOCKETS_PER_USER) ws.close(4429, 'too many connections');
      ws.once('close', () => remove(userId, ws));
    },
    /** The unread bytes of all sockets of this one's user. */
    unread(ws: WebSocket): number {
      let bytes = 0;
      for (const { bufferedAmount } of ofUser.get(ws) ?? []) bytes += bufferedAmount;
      return bytes;
    },
  };

  function remove(userId: string, ws: WebSocket): void {
    const sockets = open.get(userId);
    sockets?.delete(ws);
    if (sockets?.size === 0) open.delete(userId);
  }
}
