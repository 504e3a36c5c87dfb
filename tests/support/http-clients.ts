// The HTTP layer over the test services: HTTP and websockets on a free port, and browsers as clients.
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '@parley/server/app';
import type { Deps } from '@parley/server/services';
import type { AppRouter } from '@parley/server/router';
import type { Timings } from '@parley/server/config/timings';
import type { ToolSource } from '@parley/server/tools/tool';
import { createTRPCClient, createWSClient, httpBatchLink, splitLink, wsLink } from '@trpc/client';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { openTestServices, type TestServices } from './services.ts';

export interface HttpClients {
  services: TestServices;
  host: string;
  /** The server's side of all open connections. */
  connections: Set<Socket>;
  server: Server;
  /** Registers a user and returns a signed-in browser. */
  signUp(name: string): Promise<Browser>;
  /** A raw websocket, without the tRPC client. */
  openSocket(path?: string, headers?: Record<string, string>): WebSocket;
  close(): Promise<void>;
}

export interface Browser {
  userId: string;
  token: string;
  api: ReturnType<typeof createTRPCClient<AppRouter>>;
  /** The websockets it has opened, oldest first. */
  sockets: WebSocket[];
  close(): Promise<void>;
}

/**
 * `authDelay` delays each authentication by that many milliseconds, as a busy database does. `env` adds to the server's
 * environment.
 */
export async function openHttpClients({
  authDelay = 0,
  env = {},
  timings = {},
  toolSources = [],
}: {
  authDelay?: number;
  env?: Record<string, string>;
  timings?: Partial<Timings>;
  toolSources?: readonly ToolSource[];
} = {}): Promise<HttpClients> {
  const limits = { REGISTER_MAX: '1000', LOGIN_MAX: '1000' };
  const services = await openTestServices({ ...limits, ...env }, timings, undefined, toolSources);
  const { auth } = services.deps;
  const authenticate = async (token: string) => (await sleep(authDelay), auth.authenticate(token));
  const deps = authDelay > 0 ? { ...services.deps, auth: { ...auth, authenticate } } : services.deps;
  const { app, host } = await serveHttp(deps);
  const connections = new Set<Socket>();
  app.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return {
    services,
    host,
    connections,
    server: app.server,
    signUp: (name) => signUp(host, name),
    openSocket: (path = '/trpc?connectionParams=1', headers = {}) =>
      quiet(new WebSocket(`ws://${host}${path}`, { headers })),
    async close() {
      await app.close();
      await services.close();
    },
  };
}

/** The HTTP layer of these services, on a free port. */
export async function serveHttp(deps: Deps): Promise<{ app: ReturnType<typeof createApp>; host: string }> {
  const app = createApp(deps, '');
  await new Promise<void>((resolve) => app.server.listen(0, '127.0.0.1', resolve));
  return { app, host: `127.0.0.1:${(app.server.address() as AddressInfo).port}` };
}

async function signUp(host: string, name: string): Promise<Browser> {
  const signedIn = { token: '' };
  const sockets: WebSocket[] = [];
  const client = createWSClient({
    url: `ws://${host}/trpc`,
    connectionParams: () => ({ token: signedIn.token }),
    // The tRPC client takes a WebSocket class; this one can also be paused and cut.
    WebSocket: keeping(sockets) as unknown as typeof globalThis.WebSocket,
    retryDelayMs: () => 20,
    lazy: { enabled: true, closeMs: 10_000 },
  });
  const api = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (op) => op.type === 'subscription',
        true: wsLink({ client }),
        false: httpBatchLink({
          url: `http://${host}/trpc`,
          headers: () => ({ 'x-app': '1', ...(signedIn.token && { authorization: `Bearer ${signedIn.token}` }) }),
        }),
      }),
    ],
  });
  const password = 'correct horse battery';
  const person = { name, username: name, email: `${name}@example.com`, password, confirm_password: password };
  const { token, user } = await api.auth.register.mutate(person);
  signedIn.token = token;
  const close = async () => {
    await client.close();
    for (const socket of sockets) socket.terminate();
  };
  return { userId: user.id, token, api, sockets, close };
}

function keeping(sockets: WebSocket[]) {
  return class extends WebSocket {
    constructor(url: string) {
      super(url);
      sockets.push(quiet(this));
    }
  };
}

/** A socket cut on purpose emits an error; ignore it. */
function quiet(socket: WebSocket): WebSocket {
  return socket.on('error', () => {});
}

/** The code with which the server closes a socket; rejects when it is open after `ms`, which is for tests that hang. */
export function closeCodeOf(socket: WebSocket, ms = 60_000): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The socket was still open after ${ms} ms`)), ms);
    socket.once('close', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}

export async function opened(socket: WebSocket): Promise<WebSocket> {
  await expect.poll(() => socket.readyState, { interval: 5 }).toBe(WebSocket.OPEN);
  return socket;
}

/** Sends a websocket upgrade request and disconnects at once. */
export async function upgradeAndDisconnect(host: string, origin: string): Promise<void> {
  const [name, port] = host.split(':');
  const socket = connect(Number(port), name);
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  const headers = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13', `Origin: ${origin}`];
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  socket.write(['GET /trpc HTTP/1.1', `Host: ${host}`, ...headers, key, '', ''].join('\r\n'));
  socket.resetAndDestroy();
}
