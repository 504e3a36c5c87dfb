// The websocket that subscriptions and questions travel on. Apart from the first screen, which takes what is typed
// without it.
import type { AppRouter } from '@parley/server/router';
import { createWSClient, wsLink, type Operation, type TRPCLink } from '@trpc/client';
import { session } from './current-session.ts';

/** An idle proxy cuts a silent connection after a minute or so. */
const PING_INTERVAL_MS = 25_000;
const PONG_TIMEOUT_MS = 15_000;
const IDLE_SOCKET_MS = 30_000;
/** Jitter over the whole delay: a server that restarts is not met by all its clients in the same instant. */
const FIRST_RECONNECT_MS = 1_000;
const LONGEST_RECONNECT_MS = 8_000;
/** In characters of its JSON: the server takes frames of 256 kB. */
const ASK_CHARS_MAX = 60_000;
/** The server's word for "your bearer is no longer good". */
const BEARER_REFUSED = 4401;

export interface Socket {
  link: TRPCLink<AppRouter>;
  /** Whether a call that is no subscription goes over it as well, while it is open: a question of ordinary length. */
  takes(call: Operation): boolean;
  /** It was lost, or could not be had, and is asked for again. */
  isReconnecting(): boolean;
  close(): void;
}

/**
 * A websocket that connects with the first subscription and again whenever it is lost; calls `onStateChange` each time.
 */
export function createSocket(onStateChange: () => void): Socket {
  const client = createWSClient({
    url: socketUrl,
    connectionParams: () => ({ token: session.get().token ?? '' }),
    lazy: { enabled: true, closeMs: IDLE_SOCKET_MS },
    keepAlive: { enabled: true, intervalMs: PING_INTERVAL_MS, pongTimeoutMs: PONG_TIMEOUT_MS },
    retryDelayMs: (attempt) => Math.random() * Math.min(LONGEST_RECONNECT_MS, FIRST_RECONNECT_MS * 2 ** attempt),
    onClose: (cause) => {
      if (cause?.code === BEARER_REFUSED) session.markStale();
    },
  });
  client.connectionState.subscribe({ next: onStateChange });
  return {
    link: wsLink<AppRouter>({ client }),
    takes: ({ path, input }) =>
      // Only the process that has offered a notice knows of it.
      (path.startsWith('messages.ask') || path === 'notices.take') &&
      client.connection?.state === 'open' &&
      JSON.stringify(input).length <= ASK_CHARS_MAX,
    isReconnecting() {
      const { state, error } = client.connectionState.get();
      return state === 'connecting' && error !== null;
    },
    close: () => void client.close(),
  };
}

/** Asked before each connection: waits out an offline spell, and has a bearer ready, so that no attempt is wasted. */
async function socketUrl(): Promise<string> {
  if (!navigator.onLine) await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
  if ((await session.freshToken()) === null) throw new Error('Nobody is signed in');
  return `${window.location.origin.replace(/^http/, 'ws')}/trpc`;
}
