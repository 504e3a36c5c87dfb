// What procedures learn from an HTTP request: protocol, IP address, headers.
import type { IncomingMessage } from 'node:http';
import type { DeepReadonly } from '../../config/freeze.ts';
import type { ServerConfig } from '../../config/parts/server.ts';

interface Settings {
  server: DeepReadonly<ServerConfig>;
}

/** The HTTP request of a call. */
export interface Http {
  ip: string;
  headers: Headers;
  /** Adds a response header; several `Set-Cookie` are kept. */
  setHeader(name: string, value: string): void;
  secure: boolean;
}

/** What procedures can read from an HTTP request and set on its response. */
export function readHttp(config: Settings, request: Request, ip: string, setHeader: Http['setHeader']): Http {
  const secure = config.server.domainClient.startsWith('https:') || isForwardedHttps(config, request.headers);
  return { ip, headers: request.headers, setHeader, secure };
}

/** The protocol as reported by a trusted proxy; without one, any client could have set the header. */
function isForwardedHttps({ server }: Settings, headers: Headers): boolean {
  if (server.trustProxy === 0) return false;
  const hops = (headers.get('x-forwarded-proto') ?? '').split(',').map((hop) => hop.trim());
  return (hops.at(-server.trustProxy) ?? hops[0]) === 'https';
}

/**
 * The client's IP address: the socket's, or with N trusted proxies the Nth entry of X-Forwarded-For from the end. The
 * sender controls all entries further left.
 */
export function clientIp({ server }: Settings, incoming: IncomingMessage): string {
  const direct = incoming.socket.remoteAddress ?? '';
  if (server.trustProxy === 0) return direct;
  const header = incoming.headers['x-forwarded-for'];
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((hop) => hop.trim());
  return hops.at(-server.trustProxy) || direct;
}

/** The token of an Authorization header. */
export function accessTokenIn(header: string | null): string | null {
  return /^Bearer (\S+)$/i.exec(header ?? '')?.[1] ?? null;
}
