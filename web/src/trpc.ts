// The one way to the server: batched requests over HTTP, subscriptions over a websocket that is opened by the first.
import type { AppRouter } from '@parley/server/router';
import { notifyManager, QueryClient } from '@tanstack/react-query';
import {
  createTRPCClient,
  createWSClient,
  httpBatchLink,
  splitLink,
  wsLink,
  type Operation,
  type TRPCLink,
  type TRPCWebSocketClient,
} from '@trpc/client';
import { createTRPCReact } from '@trpc/react-query';
import { atom, getDefaultStore } from 'jotai/vanilla';
import { requestHeaders, session } from './auth/current.ts';
import { refreshLink } from './auth/refresh-link.ts';
import { statusOf } from './lib/reason-of.ts';

/** The server refuses larger batches. */
const BATCH_MAX = 20;
const maxURLLength = 2_000;
/** Of an address, what is not input. */
const ADDRESS_MAX = 200;
/** An idle proxy cuts a silent connection after a minute or so. */
const PING_INTERVAL = 25_000;
const PONG_TIMEOUT = 15_000;
const IDLE_SOCKET = 30_000;
/** Jitter over the whole delay: a server that restarts is not met by all its clients in the same instant. */
const FIRST_RECONNECT = 1_000;
const LONGEST_RECONNECT = 8_000;
/** The server's word for "your bearer is no longer good". */
const BEARER_REFUSED = 4401;
const QUERY_ATTEMPTS = 3;

export type Connection = 'online' | 'reconnecting' | 'offline';

/** Whether what the screen shows is live. */
export const connection = atom<Connection>(navigator.onLine ? 'online' : 'offline');

/** Queries, mutations and subscriptions as hooks. */
export const trpc = createTRPCReact<AppRouter>();

let socket: TRPCWebSocketClient | null = null;

const links: TRPCLink<AppRouter>[] = [
  splitLink({
    condition: (op) => op.type === 'subscription',
    true: (runtime) => (operation) => wsLink<AppRouter>({ client: openedSocket() })(runtime)(operation),
    false: [
      refreshLink({ current: signedIn, refresh: session.refresh }),
      splitLink({ condition: isLong, true: httpLink({ methodOverride: 'POST' }), false: httpLink({ maxURLLength }) }),
    ],
  }),
];

/** The same calls outside React. */
export const api = createTRPCClient<AppRouter>({ links });

export const trpcClient = trpc.createClient({ links });

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: isWorthRetrying, staleTime: 30_000, refetchOnWindowFocus: false },
    // A mutation that waited for the network would look as if it had been done.
    mutations: { networkMode: 'always' },
  },
});

// At once, as the atoms do: a change to both is drawn whole. A timer later, what had been saved gave way to what was
// before it for as long as that timer took.
notifyManager.setScheduler(queueMicrotask);
session.onBoundary(forgetPersonalQueries);
session.subscribe(() => {
  if (session.get().status === 'out') void socket?.close();
});
window.addEventListener('online', showConnection);
window.addEventListener('offline', showConnection);

function signedIn(): { token: string; userId: string } | null {
  const { token, user } = session.get();
  return token === null ? null : { token, userId: user.id };
}

/** A query that no address can hold. */
function isLong({ type, input }: Operation): boolean {
  return type === 'query' && encodeURIComponent(JSON.stringify(input)).length > maxURLLength - ADDRESS_MAX;
}

function httpLink(options: { methodOverride: 'POST' } | { maxURLLength: number }): TRPCLink<AppRouter> {
  return httpBatchLink({
    ...options,
    url: '/trpc',
    maxItems: BATCH_MAX,
    headers: () => requestHeaders(session.get().token),
    fetch: fetchJson,
  });
}

/** What is no JSON, such as a proxy's page, comes as null: its status would be lost with what cannot be parsed. */
async function fetchJson(url: RequestInfo | URL | string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { status, statusText, headers } = response;
  return headers.get('content-type')?.includes('json') ? response : Response.json(null, { status, statusText });
}

function openedSocket(): TRPCWebSocketClient {
  if (socket) return socket;
  socket = createWSClient({
    url: socketUrl,
    connectionParams: () => ({ token: session.get().token ?? '' }),
    lazy: { enabled: true, closeMs: IDLE_SOCKET },
    keepAlive: { enabled: true, intervalMs: PING_INTERVAL, pongTimeoutMs: PONG_TIMEOUT },
    retryDelayMs: (attempt) => Math.random() * Math.min(LONGEST_RECONNECT, FIRST_RECONNECT * 2 ** attempt),
    onClose: (cause) => {
      if (cause?.code === BEARER_REFUSED) session.markStale();
    },
  });
  socket.connectionState.subscribe({ next: showConnection });
  return socket;
}

/** Asked before each connection: waits out an offline spell, and has a bearer ready, so that no attempt is wasted. */
async function socketUrl(): Promise<string> {
  if (!navigator.onLine) await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
  if ((await session.freshToken()) === null) throw new Error('Nobody is signed in');
  return `${window.location.origin.replace(/^http/, 'ws')}/trpc`;
}

function showConnection(): void {
  const isReconnecting = socket?.connectionState.get().state === 'connecting' && socket.connectionState.get().error;
  getDefaultStore().set(connection, !navigator.onLine ? 'offline' : isReconnecting ? 'reconnecting' : 'online');
}

/** Everything but what the site tells anybody before they sign in. */
function forgetPersonalQueries(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => String(queryKey[0]) !== 'endpoints,startup' });
}

/** An answer is an answer; only silence and a server in trouble are worth another try. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const status = statusOf(error);
  return failures < QUERY_ATTEMPTS && (status === null || status >= 502);
}
