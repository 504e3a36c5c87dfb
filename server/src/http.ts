import type { IncomingMessage } from 'node:http';
import type { Config } from './config.ts';
import type { Http } from './trpc.ts';

/** What procedures may know and answer of an HTTP request. */
export function httpOf(config: Config, request: Request, ip: string, setHeader: Http['setHeader']): Http {
  const secure =
    config.server.domainClient.startsWith('https:') || request.headers.get('x-forwarded-proto') === 'https';
  return { ip, headers: request.headers, setHeader, secure };
}

/**
 * The client's address: the socket's, or with N trusted proxies in front the Nth entry of X-Forwarded-For from its end.
 * Entries further left were written by whoever sent the request.
 */
export function ipOf({ server }: Config, incoming: IncomingMessage): string {
  const direct = incoming.socket.remoteAddress ?? '';
  if (server.trustProxy === 0) return direct;
  const header = incoming.headers['x-forwarded-for'];
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((hop) => hop.trim());
  return hops.at(-server.trustProxy) || direct;
}
