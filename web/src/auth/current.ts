// This tab's one session, wired to the server, the other tabs and the page it lives in.
import type { Reason } from '@parley/schema/reasons';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { AppRouter } from '@parley/server/router';
import { statusOf, reasonOf } from '../lib/reason-of.ts';
import { createSession, type Grant, type Renewal, type SessionNews } from './session.ts';

declare global {
  interface Window {
    /** The first renewal, begun by head.js. */
    earlyRenewal?: Promise<Response> | undefined;
  }
}

/** Also in head.js. */
const LOCK = 'parley-refresh';
const CHANNEL = 'parley-session';
/** A cookie call that hangs would hold the lock, and with it every tab. */
const COOKIE_CALL_TIMEOUT = 15_000;
/** The cap is low, so that a server which comes back is noticed soon; the jitter keeps tabs from coming all at once. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;
const RENEW_CHECK = 10_000;

// Without the link that refreshes: these are the calls it makes. A batch of one, so that each has its own bearer and
// the link is the one the app loads anyway.
const cookieApi = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({ url: '/trpc', maxItems: 1, headers: ({ opList: [op] }) => requestHeaders(op.context.token) }),
  ],
});
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);

export const session = createSession({
  renew,
  revoke: (token) => cookieApi.auth.logout.mutate(undefined, { context: { token }, signal: inTime() }),
  whoIs: (token) => cookieApi.auth.me.query(undefined, { context: { token } }),
  alone,
  pause,
  announce: (news) => channel?.postMessage(news),
});

/** Starts the silent refresh and listens to the page and the other tabs. Called once, when the app starts. */
export function startSession(): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<SessionNews>) => void session.hear(data));
  window.addEventListener('tokenUpdated', (event) => {
    if (event instanceof CustomEvent && typeof event.detail === 'string') void session.adoptToken(event.detail);
  });
  document.addEventListener('visibilitychange', renewWhenSeen);
  // Asking often is right again soon after a sleep, which a timer set for the hour would not be.
  setInterval(renewWhenSeen, RENEW_CHECK);
  void session.load();
}

/** The headers of every request. The custom one is what a foreign page cannot send. */
export function requestHeaders(token: unknown): Record<string, string> {
  return typeof token === 'string' ? { 'x-app': '1', authorization: `Bearer ${token}` } : { 'x-app': '1' };
}

async function renew(): Promise<Renewal> {
  const early = window.earlyRenewal;
  window.earlyRenewal = undefined;
  if (early) return renewalOf(await early);
  try {
    const granted = await cookieApi.auth.refresh.mutate(undefined, { signal: inTime() });
    return granted ? { granted } : { refused: null };
  } catch (error) {
    const status = statusOf(error);
    if (status === 401 || status === 403) return { refused: reasonOf(error) };
    throw error;
  }
}

/** What head.js was told, which asked before the app was there. */
async function renewalOf(answer: Response): Promise<Renewal> {
  const { result, error } = (await answer.json()) as {
    result?: { data: Grant | null };
    error?: { data: { reason: Reason | null } };
  };
  if (result) return result.data ? { granted: result.data } : { refused: null };
  if (answer.status === 401 || answer.status === 403) return { refused: error?.data.reason ?? null };
  throw new Error(`The session could not be renewed: ${answer.status}`);
}

/** Web Locks exist in secure contexts only; over plain HTTP the server's grace period has to do. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(LOCK, work) : work();
}

function pause(attempt: number): Promise<void> {
  const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt);
  return new Promise((resolve) => {
    const timer = setTimeout(end, longest * (0.5 + Math.random() / 2));
    window.addEventListener('online', end);
    function end() {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      resolve();
    }
  });
}

function renewWhenSeen(): void {
  if (document.visibilityState === 'visible' && navigator.onLine) void session.renewIfDue();
}

function inTime(): AbortSignal {
  return AbortSignal.timeout(COOKIE_CALL_TIMEOUT);
}
