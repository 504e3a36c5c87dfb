import type { IncomingMessage } from 'node:http';
import type { Deps } from '../deps.ts';
import { accessTokenIn, httpOf, ipOf, type Http } from './request-info.ts';
import type { Context } from './trpc.ts';

/** Creates the tRPC context of an HTTP request. `setHeader` adds a response header. */
export async function createContext(
  deps: Deps,
  request: Request,
  incoming: IncomingMessage,
  setHeader: Http['setHeader'],
  requestId: string,
): Promise<Context> {
  const ip = ipOf(deps.config, incoming);
  const http = httpOf(deps.config, request, ip, setHeader);
  const client = { ip, userAgent: request.headers.get('user-agent') };
  const token = accessTokenIn(request.headers.get('authorization'));
  const signedIn = token ? await deps.auth.authenticate(token) : null;
  // Looks up why only when authentication fails.
  const bannedUntil = token && !signedIn ? await deps.auth.bannedUntil(token) : null;
  const leavesAt = token && !signedIn && !bannedUntil ? await deps.auth.leavesAt(token) : null;
  return { deps, http, client, requestId, socket: null, token, signedIn, bannedUntil, leavesAt };
}
