// This tab's only session, connected to the server, the other tabs and the page.
import type { Reason } from '@parley/schema/reasons';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { AppRouter } from '@parley/server/router';
import { errorStatus, errorReason } from '../errors/error-reason.ts';
import { createSession, type SessionNews } from './session.ts';
import type { Grant } from './session-state.ts';
import type { Renewal } from './token-renewal.ts';

declare global {
  interface Window {
    /** The first renewal, which head.js starts. */
    earlyRenewal?: Promise<Response> | undefined;
  }
}

/** head.js uses the same name. */
const LOCK = 'parley-refresh';
const CHANNEL = 'parley-session';
/** A hanging request with the cookie would hold the lock, and block every tab. */
const COOKIE_CALL_TIMEOUT_MS = 15_000;
/** The cap is low, so that a returning server is noticed soon; the jitter keeps tabs from retrying together. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
const RENEW_CHECK_MS = 10_000;

// Without the refresh link, because these are the calls it makes. A batch of one, so that each has its own token and
// uses the batch link, which the app loads anyway.
const cookieApi = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({ url: '/trpc', maxItems: 1, headers: ({ opList: [op] }) => requestHeaders(op.context.token) }),
  ],
});
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);

export const session = createSession({
  renew,
  revoke: (token) => cookieApi.auth.logout.mutate(undefined, { context: { token }, signal: cookieCallSignal() }),
  fetchUser: (token) => cookieApi.auth.me.query(undefined, { context: { token } }),
  exclusive,
  waitForRetry,
  broadcast: tellTabs,
});

/** The other tabs renew the session, or end it. */
export function tellTabs(news: SessionNews): void {
  channel?.postMessage(news);
}

/** Starts the silent refresh and listens to the page and the other tabs. Call once, at startup. */
export function startSession(): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<SessionNews>) => void session.handleNews(data));
  window.addEventListener('tokenUpdated', (event) => {
    if (event instanceof CustomEvent && typeof event.detail === 'string') void session.adoptToken(event.detail);
  });
  document.addEventListener('visibilitychange', renewWhenSeen);
  // Polling recovers soon after the computer sleeps; a timer for the expiry time would not.
  setInterval(renewWhenSeen, RENEW_CHECK_MS);
  void session.load();
}

/** The headers of every request. A cross-site page cannot send the custom one. */
export function requestHeaders(token: unknown): Record<string, string> {
  return typeof token === 'string' ? { 'x-app': '1', authorization: `Bearer ${token}` } : { 'x-app': '1' };
}

async function renew(): Promise<Renewal> {
  const early = window.earlyRenewal;
  window.earlyRenewal = undefined;
  if (early) return renewalOf(await early);
  try {
    const granted = await cookieApi.auth.refresh.mutate(undefined, { signal: cookieCallSignal() });
    return granted ? { granted } : { refused: null };
  } catch (error) {
    const status = errorStatus(error);
    if (status === 401 || status === 403) return { refused: errorReason(error) };
    throw error;
  }
}

/** The response to the request of head.js, which ran before the app loaded. */
async function renewalOf(response: Response): Promise<Renewal> {
  const { result, error } = (await response.json()) as {
    result?: { data: Grant | null };
    error?: { data: { reason: Reason | null } };
  };
  if (result) return result.data ? { granted: result.data } : { refused: null };
  if (response.status === 401 || response.status === 403) return { refused: error?.data.reason ?? null };
  throw new Error(`The session could not be renewed: ${response.status}`);
}

/** Web Locks exist in secure contexts only; over plain HTTP the server's grace period must suffice. */
function exclusive<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(LOCK, work) : work();
}

function waitForRetry(attempt: number): Promise<void> {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
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

function cookieCallSignal(): AbortSignal {
  return AbortSignal.timeout(COOKIE_CALL_TIMEOUT_MS);
}
