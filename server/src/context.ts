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
  const http = httpOf(deps.config, request, ipOf(deps.config, incoming), setHeader);
  const token = bearerOf(request.headers.get('authorization'));
  return { deps, http, socket: null, token, signedIn: token ? await deps.auth.authenticate(token) : null };
}

/** The token of an Authorization header. */
export function bearerOf(header: string | null): string | null {
  return /^Bearer (\S+)$/i.exec(header ?? '')?.[1] ?? null;
}
