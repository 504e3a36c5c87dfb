// A user of a Parley server as a program: an account, and devices that use the API as the browser does.
import type { AppRouter } from '@parley/server/router';
import {
  createTRPCClient,
  createWSClient,
  httpLink,
  splitLink,
  wsLink,
  type Operation,
  type TRPCClient,
  type TRPCWebSocketClient,
} from '@trpc/client';
import WebSocket from 'ws';

export interface Account {
  name: string;
  email: string;
  /** A bearer token valid for some more minutes. */
  token(): Promise<string>;
}

export interface Device {
  api: TRPCClient<AppRouter>;
  /** The open websocket, if there is one. */
  socket(): WebSocket | null;
  close(): Promise<void>;
}

export const PASSWORD = 'nine green bottles';
/** A bearer token is valid for 15 minutes. */
const TOKEN_FRESH_MS = 10 * 60_000;
const SIGN_IN_TRIES = 50;
const RETRY_MS = 200;

/**
 * Registers `name` at the server. Renews the bearer token by signing in again, which waits while the server is down.
 */
export async function registerAccount(url: string, name: string): Promise<Account> {
  const email = emailOf(name);
  const account = { name: `${name} example`, username: name, email, password: PASSWORD, confirm_password: PASSWORD };
  const { token } = await signedOut(url).auth.register.mutate(account);
  return keepSignedIn(url, name, token);
}

/** The same for somebody who has registered before. */
export async function signInAccount(url: string, name: string): Promise<Account> {
  const { token } = await signedOut(url).auth.login.mutate({ email: emailOf(name), password: PASSWORD });
  return keepSignedIn(url, name, token);
}

function keepSignedIn(url: string, name: string, first: string): Account {
  const { auth } = signedOut(url);
  const email = emailOf(name);
  let token = first;
  let staleAt = Date.now() + TOKEN_FRESH_MS;
  return {
    name,
    email,
    async token() {
      if (Date.now() < staleAt) return token;
      token = await retryUntilReached(async () => (await auth.login.mutate({ email, password: PASSWORD })).token);
      staleAt = Date.now() + TOKEN_FRESH_MS;
      return token;
    },
  };
}

function signedOut(url: string): TRPCClient<AppRouter> {
  return createTRPCClient<AppRouter>({ links: [httpLink({ url: `${url}/trpc` })] });
}

function emailOf(name: string): string {
  return `${name}@example.com`;
}

/** Questions and subscriptions over one websocket that opens with the first one and reconnects, the rest over HTTP. */
export function createDevice(url: string, account: Account): Device {
  const client: TRPCWebSocketClient = createWSClient({
    url: `${url.replace(/^http/, 'ws')}/trpc`,
    // It has the browser's interface, which the type requires.
    WebSocket: WebSocket as unknown as typeof globalThis.WebSocket,
    connectionParams: async () => ({ token: await account.token() }),
    lazy: { enabled: true, closeMs: 60_000 },
    retryDelayMs: (attempt) => Math.min(50 * 2 ** attempt, 400),
  });
  const http = httpLink<AppRouter>({
    url: `${url}/trpc`,
    headers: async () => ({ authorization: `Bearer ${await account.token()}` }),
  });
  const condition = ({ type, path }: Operation) =>
    type === 'subscription' || (path.startsWith('messages.ask') && client.connection?.state === 'open');
  const api = createTRPCClient<AppRouter>({
    links: [splitLink({ condition, true: wsLink({ client }), false: http })],
  });
  const socket = () => {
    const ws = client.connection?.ws;
    return ws instanceof WebSocket ? ws : null;
  };
  return { api, socket, close: () => client.close() };
}

async function retryUntilReached<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === SIGN_IN_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
