// Bounds what the HTTP responses of one user leave unread, which waits in memory: a response may be a whole
// conversation, an event of a stream a whole message, and a client may have as many connections as it likes. A shutdown
// lets the responses reach their readers.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import type { Authenticator } from '../platform/requests/auth-session.ts';
import type { Config } from '../config/config.ts';
import type { HttpEnv } from '../platform/requests/http-env.ts';
import { untilIdle } from './open-calls.ts';
import { accessTokenIn, clientIp } from '../platform/requests/request-info.ts';

/** Bytes that connections of one user together may leave unread. */
export const UNREAD_MAX = 32 * 1024 * 1024;
/** A response that leaves less waiting is not counted: most are shorter. */
const UNCOUNTED_BYTES_MAX = 64 * 1024;

/** The change feed goes on for as long as its connection: its reader continues at another process. */
const ENDLESS = /^\/trpc\/[^?]*\bconvos\.changes\b/;

interface Unread {
  outgoing: ServerResponse;
  /** What waits in memory: for the connection, and of a long answer before that. */
  bytes(): number;
}

interface From {
  auth: Pick<Authenticator, 'authenticate'>;
  config: Config;
}

/**
 * When a response is written while others of its user leave more than `UNREAD_MAX` unread, those that leave most are
 * cut off. One response alone may be longer. Who is not signed in is an IP address.
 */
export function cutUnreadResponses({ auth, config }: From): MiddlewareHandler<HttpEnv> {
  const unreadBy = new Map<string, Set<Unread>>();
  return async (c, next) => {
    await next();
    const { outgoing } = c.env;
    const { unsent = () => 0 } = c.var;
    const one = { outgoing, bytes: () => outgoing.writableLength + unsent() };
    let ofUser: Promise<Set<Unread>> | null = null;
    onWrite(outgoing, () => {
      if (one.bytes() <= UNCOUNTED_BYTES_MAX) return;
      ofUser ??= ownerOf(c).then((owner) => add(owner, one));
      void ofUser.then((all) => cutOthers(all, one)).catch(() => outgoing.destroy());
    });
  };

  async function ownerOf(c: Context<HttpEnv>): Promise<string> {
    const token = accessTokenIn(c.req.header('authorization') ?? null);
    const signedIn = token ? await auth.authenticate(token) : null;
    return signedIn?.userId ?? clientIp(config, c.env.incoming);
  }

  function add(owner: string, one: Unread): Set<Unread> {
    const responses = unreadBy.get(owner) ?? new Set();
    // It may have been read meanwhile.
    if (one.outgoing.closed) return responses;
    unreadBy.set(owner, responses.add(one));
    one.outgoing.once('close', () => {
      responses.delete(one);
      if (responses.size === 0) unreadBy.delete(owner);
    });
    return responses;
  }
}

/** Bodies of every kind are written, before an end without a body of its own. */
function onWrite(outgoing: ServerResponse, afterWrite: () => void): void {
  const write = outgoing.write.bind(outgoing) as (...args: unknown[]) => boolean;
  outgoing.write = (...args: unknown[]) => {
    const isDrained = write(...args);
    afterWrite();
    return isDrained;
  };
}

function cutOthers(responses: Set<Unread>, written: Unread): void {
  const others = [...responses].filter((one) => one !== written);
  let unread = others.reduce((bytes, one) => bytes + one.bytes(), 0);
  if (unread <= UNREAD_MAX) return;
  for (const fullest of others.sort((a, b) => b.bytes() - a.bytes())) {
    unread -= fullest.bytes();
    responses.delete(fullest);
    fullest.outgoing.destroy();
    if (unread <= UNREAD_MAX) return;
  }
}

export interface OpenResponses {
  /** Resolves when every response has been sent or cut off, at the latest after `ms` milliseconds. */
  ended(ms: number): Promise<void>;
}

/**
 * Counts the responses that a server is sending. An idle connection has none. Once the server takes no more
 * connections, each ends with its response: a request that came over it later would be cut off. Not before: a client may
 * be sending a request over a connection that looks idle here.
 */
export function followResponses(server: Server, isClosed: () => boolean): OpenResponses {
  let open = 0;
  server.on('request', ({ url = '' }: IncomingMessage, response: ServerResponse) => {
    if (ENDLESS.test(url)) return;
    open += 1;
    response.once('close', () => {
      open -= 1;
      if (isClosed()) setImmediate(() => server.closeIdleConnections());
    });
  });
  return {
    async ended(ms) {
      await untilIdle(() => open > 0, ms);
    },
  };
}
