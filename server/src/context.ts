import type { IncomingMessage } from 'node:http';
import type { Deps } from './deps.ts';
import { httpOf, ipOf } from './http.ts';
import type { Context, Http } from './trpc.ts';

/** What procedures know of an HTTP request. `setHeader` adds to its answer. */
export async function contextOf(
  deps: Deps,
  request: Request,
  incoming: IncomingMessage,
  setHeader: Http['setHeader'],
): Promise<Context> {
  const ip = ipOf(deps.config, incoming);
  const http = httpOf(deps.config, request, ip, setHeader);
  const client = { ip, userAgent: request.headers.get('user-agent') };
  const token = bearerOf(request.headers.get('authorization'));
  const signedIn = token ? await deps.auth.authenticate(token) : null;
  // Only who is turned away is asked why.
  const bannedUntil = token && !signedIn ? await deps.auth.bannedUntil(token) : null;
  return { deps, http, client, socket: null, token, signedIn, bannedUntil };
}

/** The token of an Authorization header. */
export function bearerOf(header: string | null): string | null {
  return /^Bearer (\S+)$/i.exec(header ?? '')?.[1] ?? null;
}
