// Closes the websockets, event streams and imports of a session when it ends, in whichever process that happens. A
// stream outlives its access token, so it is bound to the session itself.
import { isApiKey } from '@parley/schema/accounts/api-key-rules';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import type { WebSocket } from 'ws';
import { accessTokenIn } from '../platform/requests/request-info.ts';
import type { Authenticator, AuthSession } from '../platform/requests/auth-session.ts';

export interface SessionWatch {
  /** Calls `onEnd` once when the session ends; the returned function stops watching. */
  watch(signedIn: AuthSession, onEnd: () => void): () => void;
}

/** The close code at which a browser signs in again. */
export const UNAUTHORIZED = 4401;

/** Poll interval: a NOTIFY is lost while its connection is down. One statement checks all sessions. */
const POLL_MS = 1000;
/** How long an unresponsive client may keep a closed websocket open. */
const CLOSE_GRACE_MS = 1000;
/** Responses that stay open. Imports end by themselves and report how far they got. */
const EVENT_STREAM = /^text\/event-stream\b/;

interface Watched {
  signedIn: AuthSession;
  end: () => void;
}

/** `pollMs` is the poll interval in milliseconds. */
export function createSessionWatch(
  auth: Pick<Authenticator, 'isSignedIn' | 'findEnded' | 'onInvalidate' | 'invalidate'>,
  pollMs = POLL_MS,
): SessionWatch {
  const open = new Set<Watched>();
  let timer: NodeJS.Timeout | null = null;
  return { watch };

  function watch(signedIn: AuthSession, onEnd: () => void): () => void {
    const watched: Watched = { signedIn, end };
    const stopListening = auth.onInvalidate(signedIn, () => void revalidate());
    open.add(watched);
    timer ??= setTimeout(poll, pollMs).unref();
    return unwatch;

    /** A failed query closes nothing: the next poll tries again. */
    async function revalidate(): Promise<void> {
      if (!(await auth.isSignedIn(signedIn).catch(() => true))) end();
    }

    function end(): void {
      if (!open.has(watched)) return;
      unwatch();
      onEnd();
    }

    function unwatch(): void {
      open.delete(watched);
      stopListening();
    }
  }

  /** Schedules the next poll after this one, so a slow database runs at most one of these statements. */
  async function poll(): Promise<void> {
    const sids = [...new Set([...open].map(({ signedIn }) => signedIn.sid))];
    const ended = new Set(await auth.findEnded(sids).catch(() => []));
    for (const { signedIn, end } of open) if (ended.has(signedIn.sid)) end();
    for (const sid of ended) auth.invalidate(sid);
    timer = open.size > 0 ? setTimeout(poll, pollMs).unref() : null;
  }
}

/** Closes a websocket with 4401 when its session ends. */
export function closeWithSession(sessions: SessionWatch, ws: WebSocket, signedIn: AuthSession): void {
  const unwatch = sessions.watch(signedIn, () => {
    ws.close(UNAUTHORIZED, 'unauthorized');
    setTimeout(() => ws.terminate(), CLOSE_GRACE_MS).unref();
  });
  ws.once('close', unwatch);
}

/**
 * Cuts an event stream when the session of its request ends. Destroys the connection, which drops unsent data and
 * signals the disconnect to everything that feeds the stream.
 */
export function cutStreamsWithSession(
  auth: Authenticator,
  sessions: SessionWatch,
): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async (c, next) => {
    await next();
    const token = accessTokenIn(c.req.header('authorization') ?? null);
    // The calls of a program end with its key (`chat/api-calls/`).
    if (!token || isApiKey(token) || !EVENT_STREAM.test(c.res.headers.get('content-type') ?? '')) return;
    const { outgoing } = c.env;
    const signedIn = await auth.authenticate(token);
    if (outgoing.destroyed) return;
    const cut = () => void outgoing.destroy();
    outgoing.once('close', signedIn ? sessions.watch(signedIn, cut) : cutSoon(cut));
  };
}

/** Gives a stream without a live session a moment to report the refusal and end by itself, then cuts it. */
function cutSoon(cut: () => void): () => void {
  const timer = setTimeout(cut, CLOSE_GRACE_MS);
  return () => clearTimeout(timer);
}
