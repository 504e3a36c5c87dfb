// The doors of a server over the rooms of a test: HTTP and websockets on a free port, and browsers that come in.
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '@parley/server/app';
import type { AppRouter } from '@parley/server/router';
import { createTRPCClient, createWSClient, httpBatchLink, splitLink, wsLink } from '@trpc/client';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { openTestRooms, type TestRooms } from '../support/rooms.ts';

export interface Doors {
  rooms: TestRooms;
  host: string;
  /** The server's ends of all connections that are open. */
  connections: Set<Socket>;
  server: Server;
  /** Registers a person and gives a browser in which they are signed in. */
  enter(name: string): Promise<Browser>;
  /** A websocket without any of tRPC's manners. */
  knock(path?: string, headers?: Record<string, string>): WebSocket;
  close(): Promise<void>;
}

export interface Browser {
  userId: string;
  token: string;
  api: ReturnType<typeof createTRPCClient<AppRouter>>;
  /** The websockets it has opened, oldest first. */
  sockets: WebSocket[];
  leave(): Promise<void>;
}

/** `authDelay` is what a busy database adds to each look at who somebody is, in milliseconds. */
export async function openDoors({ authDelay = 0 } = {}): Promise<Doors> {
  const rooms = await openTestRooms({ REGISTER_MAX: '1000' });
  const { auth } = rooms.deps;
  const authenticate = async (token: string) => (await sleep(authDelay), auth.authenticate(token));
  const deps = authDelay > 0 ? { ...rooms.deps, auth: { ...auth, authenticate } } : rooms.deps;
  const app = createApp(deps, '');
  const connections = new Set<Socket>();
  app.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve) => app.server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    rooms,
    host,
    connections,
    server: app.server,
    enter: (name) => enter(host, name),
    knock: (path = '/trpc?connectionParams=1', headers = {}) =>
      quiet(new WebSocket(`ws://${host}${path}`, { headers })),
    async close() {
      await app.close();
      await rooms.close();
    },
  };
}

async function enter(host: string, name: string): Promise<Browser> {
  const signedIn = { token: '' };
  const sockets: WebSocket[] = [];
  const client = createWSClient({
    url: `ws://${host}/trpc`,
    connectionParams: () => ({ token: signedIn.token }),
    // The library takes a browser's class; this one differs in what a test wants: it can be paused and cut.
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
  const leave = async () => {
    await client.close();
    for (const socket of sockets) socket.terminate();
  };
  return { userId: user.id, token, api, sockets, leave };
}

function keeping(sockets: WebSocket[]) {
  return class extends WebSocket {
    constructor(url: string) {
      super(url);
      sockets.push(quiet(this));
    }
  };
}

/** A socket that is cut on purpose says so with an error that nobody wants to hear. */
function quiet(socket: WebSocket): WebSocket {
  return socket.on('error', () => {});
}

/** With which code the server closes a socket. */
export function closeCodeOf(socket: WebSocket, ms: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The socket was still open after ${ms} ms`)), ms);
    socket.once('close', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}

export async function opened(socket: WebSocket): Promise<WebSocket> {
  await expect.poll(() => socket.readyState, { timeout: 3000, interval: 5 }).toBe(WebSocket.OPEN);
  return socket;
}

/** Asks to become a websocket, and is gone without a word. */
export async function knockAndVanish(host: string, origin: string): Promise<void> {
  const [name, port] = host.split(':');
  const socket = connect(Number(port), name);
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  const headers = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13', `Origin: ${origin}`];
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  socket.write(['GET /trpc HTTP/1.1', `Host: ${host}`, ...headers, key, '', ''].join('\r\n'));
  socket.resetAndDestroy();
}
