import type { IncomingMessage } from 'node:http';
import { accessTokenIn, readHttp, clientIp, type Http } from '../platform/requests/request-info.ts';
import type { Context } from './trpc.ts';
import type { RequestServices } from '../platform/requests/request-services.ts';

/** Creates the tRPC context of an HTTP request. `setHeader` adds a response header. */
export async function createContext<Services extends RequestServices>(
  deps: Services,
  request: Request,
  incoming: IncomingMessage,
  setHeader: Http['setHeader'],
  requestId: string,
): Promise<Context<Services>> {
  const ip = clientIp(deps.config, incoming);
  const http = readHttp(deps.config, request, ip, setHeader);
  const client = { ip, userAgent: request.headers.get('user-agent') };
  const token = accessTokenIn(request.headers.get('authorization'));
  const signedIn = token ? await deps.auth.authenticate(token) : null;
  // Both are looked up only when authentication fails.
  const limited = token && !signedIn ? await deps.auth.authenticateLimited(token) : null;
  const bannedUntil = token && !signedIn && !limited ? await deps.auth.bannedUntil(token) : null;
  return { deps, http, client, requestId, socket: null, token, signedIn, limited, bannedUntil };
}
