// Bounds what the HTTP responses of one user leave unread, which waits in memory: a response may be a whole
// conversation, an event of a stream a whole message, and a client may have as many connections as it likes.
import type { ServerResponse } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import type { Authenticator } from '../auth/session/authenticator.ts';
import type { Config } from '../config.ts';
import type { HttpEnv } from './http-env.ts';
import { accessTokenIn, ipOf } from './request-info.ts';

/** Bytes that connections of one user together may leave unread. */
export const UNREAD_MAX = 32 * 1024 * 1024;
/** A response that leaves less waiting is not counted: most are shorter. */
const SMALL = 64 * 1024;

interface Deps {
  auth: Pick<Authenticator, 'authenticate'>;
  config: Config;
}

/**
 * When a response is written while others of its user leave more than `UNREAD_MAX` unread, those that leave most are
 * cut off. One response alone may be longer. Who is not signed in is an IP address.
 */
export function cutUnreadResponses({ auth, config }: Deps): MiddlewareHandler<HttpEnv> {
  const unreadBy = new Map<string, Set<ServerResponse>>();
  return async (c, next) => {
    await next();
    const { outgoing } = c.env;
    let ofUser: Promise<Set<ServerResponse>> | null = null;
    onWrite(outgoing, () => {
      if (outgoing.writableLength <= SMALL) return;
      ofUser ??= ownerOf(c).then((owner) => add(owner, outgoing));
      void ofUser.then((all) => cutOthers(all, outgoing)).catch(() => outgoing.destroy());
    });
  };

  async function ownerOf(c: Context<HttpEnv>): Promise<string> {
    const token = accessTokenIn(c.req.header('authorization') ?? null);
    const signedIn = token ? await auth.authenticate(token) : null;
    return signedIn?.userId ?? ipOf(config, c.env.incoming);
  }

  function add(owner: string, outgoing: ServerResponse): Set<ServerResponse> {
    const responses = unreadBy.get(owner) ?? new Set();
    // It may have been read meanwhile.
    if (outgoing.closed) return responses;
    unreadBy.set(owner, responses.add(outgoing));
    outgoing.once('close', () => {
      responses.delete(outgoing);
      if (responses.size === 0) unreadBy.delete(owner);
    });
    return responses;
  }
}

function onWrite(outgoing: ServerResponse, afterWrite: () => void): void {
  const write = outgoing.write.bind(outgoing) as (...args: unknown[]) => boolean;
  const end = outgoing.end.bind(outgoing) as (...args: unknown[]) => ServerResponse;
  outgoing.write = (...args: unknown[]) => {
    const isDrained = write(...args);
    afterWrite();
    return isDrained;
  };
  outgoing.end = (...args: unknown[]) => {
    end(...args);
    afterWrite();
    return outgoing;
  };
}

function cutOthers(responses: Set<ServerResponse>, written: ServerResponse): void {
  const others = [...responses].filter((one) => one !== written);
  let unread = others.reduce((bytes, { writableLength }) => bytes + writableLength, 0);
  if (unread <= UNREAD_MAX) return;
  for (const fullest of others.sort((a, b) => b.writableLength - a.writableLength)) {
    unread -= fullest.writableLength;
    responses.delete(fullest);
    fullest.destroy();
    if (unread <= UNREAD_MAX) return;
  }
}
