// The tRPC client: batched requests over HTTP, subscriptions over a websocket that the first one opens, and questions
// over that websocket while it is open.
import type { AppRouter } from '@parley/server/router';
import { notifyManager } from '@tanstack/react-query';
import {
  createTRPCClient,
  httpBatchLink,
  splitLink,
  type Operation,
  type TRPCLink,
  TRPCClientError,
} from '@trpc/client';
import { createTRPCReact } from '@trpc/react-query';
import { atom, getDefaultStore } from 'jotai/vanilla';
import { requestHeaders, session } from './session/current-session.ts';
import { orderedLink } from './session/ordered-link.ts';
import { refreshLink } from './session/refresh-link.ts';
import { stepUpLink } from './session/step-up.ts';
import type { Socket } from './session/socket.ts';
import { errorStatus } from './errors/error-reason.ts';
import { ParleyQueryClient } from './session/query-client.ts';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable, type Unsubscribable } from '@trpc/server/observable';

/** The server rejects larger batches. */
const BATCH_MAX = 20;
const maxURLLength = 2_000;
/** The part of a URL that is not input. */
const ADDRESS_MAX = 200;
const QUERY_ATTEMPTS = 3;
/** Mutations that set what the person may set again before they are answered. */
const SETTING = [
  ...['rename', 'update', 'moveToFolder', 'arrangePins', 'setColumns', 'markUnread'].map((name) => `convos.${name}`),
  ...['update', 'setTool', 'remove'].map((name) => `mcp.${name}`),
  ...['setOn', 'order', 'save', 'remove'].map((name) => `admin.providers.${name}`),
  'folders.update',
  'messages.rate',
  'prompts.mark',
  'settings.set',
];

export type Connection = 'online' | 'reconnecting' | 'offline';

/** Whether the screen receives live updates. */
export const connection = atom<Connection>(navigator.onLine ? 'online' : 'offline');

/** Queries, mutations and subscriptions as hooks. */
export const trpc = createTRPCReact<AppRouter>();

let socket: Socket | null = null;
/** The code of the socket could not be fetched. */
let isSocketMissing = false;

const links: TRPCLink<AppRouter>[] = [
  splitLink({
    condition: (op) => op.type === 'subscription' || socket?.takes(op) === true,
    true: lazyLink(loadSocketLink),
    false: [
      stepUpLink(),
      orderedLink(new Set(SETTING)),
      refreshLink({ current: signedIn, refresh: session.refresh }),
      splitLink({ condition: isLong, true: httpLink({ methodOverride: 'POST' }), false: httpLink({ maxURLLength }) }),
    ],
  }),
];

/** The same calls outside React. */
export const api = createTRPCClient<AppRouter>({ links });

export const trpcClient = trpc.createClient({ links });

export const queryClient = new ParleyQueryClient({
  defaultOptions: {
    queries: { retry: isWorthRetrying, staleTime: 30_000, refetchOnWindowFocus: false },
    // A mutation that waits for the network would look as if it had succeeded.
    mutations: { networkMode: 'always' },
  },
});

// As synchronous as the atoms, so that a change to both renders together. With the default timer, the old value would
// show for a moment after a save.
notifyManager.setScheduler(queueMicrotask);
session.onBoundary(forgetPersonalQueries);
session.subscribe(() => {
  if (session.get().status !== 'in') socket?.close();
});
window.addEventListener('online', showConnection);
window.addEventListener('offline', showConnection);

function signedIn(): { token: string; userId: string } | null {
  const { token, user } = session.get();
  return token === null ? null : { token, userId: user.id };
}

/** A query too long for a URL. */
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

/** As tRPC passes it: `signal` may be undefined. */
type Init = Omit<RequestInit, 'signal'> & { signal?: AbortSignal | null | undefined };

/** Turns a non-JSON body, such as a proxy's page, into null: a parse error would hide its status. */
async function fetchJson(url: RequestInfo | URL | string, { signal, ...init }: Init = {}): Promise<Response> {
  const response = await fetch(url, { ...init, signal: signal ?? null });
  const { status, statusText, headers } = response;
  return headers.get('content-type')?.includes('json') ? response : Response.json(null, { status, statusText });
}

async function loadSocketLink(): Promise<TRPCLink<AppRouter>> {
  if (socket) return socket.link;
  try {
    const { createSocket } = await import('./session/socket.ts');
    isSocketMissing = false;
    socket ??= createSocket(showConnection);
    return socket.link;
  } catch (error) {
    isSocketMissing = true;
    throw error;
  } finally {
    showConnection();
  }
}

function showConnection(): void {
  const isReconnecting = isSocketMissing || socket?.isReconnecting();
  getDefaultStore().set(connection, !navigator.onLine ? 'offline' : isReconnecting ? 'reconnecting' : 'online');
}

/** Removes all queries except the public startup data. */
function forgetPersonalQueries(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => String(queryKey[0]) !== 'endpoints,startup' });
}

/** Retries only network failures and server errors, never a real response. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const status = errorStatus(error);
  return failures < QUERY_ATTEMPTS && (status === null || status >= 502);
}

/**
 * A link that is fetched with the first operation that goes through it. Where it cannot be fetched the operation fails
 * like one that found no server, and the next one fetches it again.
 */
function lazyLink<Router extends AnyTRPCRouter>(load: () => Promise<TRPCLink<Router>>): TRPCLink<Router> {
  return (runtime) => (operation) =>
    observable((observer) => {
      let passedOn: Unsubscribable | null = null;
      let isOver = false;
      load().then(
        (link) => {
          if (!isOver) passedOn = link(runtime)(operation).subscribe(observer);
        },
        (cause: unknown) => {
          if (!isOver) observer.error(TRPCClientError.from(cause instanceof Error ? cause : new Error(String(cause))));
        },
      );
      return () => {
        isOver = true;
        passedOn?.unsubscribe();
      };
    });
}
