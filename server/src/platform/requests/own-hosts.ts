// Requests are answered for the names of this site only. A page of a foreign name that resolves to this machine (DNS
// rebinding) has our origin in the eyes of its browser; the Host header is what gives it away.
import type { IncomingHttpHeaders } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import type { DeepReadonly } from '../../config/freeze.ts';
import type { ServerConfig } from '../../config/parts/server.ts';
import type { HttpEnv } from './http-env.ts';

/** Docker and other forwarders change ports, so only names count. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** "Misdirected Request", RFC 9110, 15.5.20. */
export const MISDIRECTED = 421;

/** Undefined when this site is meant, else the sentence for anyone who asked. */
export type ForeignHost = (headers: IncomingHttpHeaders) => string | undefined;

/**
 * With trusted proxies in front, the name that the outermost of them reports counts, if there is one. A request without
 * a Host comes from no browser.
 */
export function createForeignHost({ server }: { server: DeepReadonly<ServerConfig> }): ForeignHost {
  const { domainClient, domainServer, allowedHosts, trustProxy } = server;
  const names = new Set([...LOOPBACK, ...[domainClient, domainServer].map((site) => new URL(site).hostname)]);
  for (const host of allowedHosts) names.add(nameOf(host) ?? host);
  const suffixes = [...names].filter((name) => name.startsWith('.'));
  return function foreignHost(headers) {
    const host = (trustProxy > 0 && reported(headers['x-forwarded-host'], trustProxy)) || headers.host;
    if (host === undefined) return undefined;
    const name = nameOf(host);
    if (name !== undefined && (names.has(name) || suffixes.some((suffix) => name.endsWith(suffix)))) return undefined;
    return sentence(host, name);
  };
}

/** Answers requests for foreign names with a sentence. */
export function refuseForeignHosts(foreignHost: ForeignHost): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const text = foreignHost(c.env.incoming.headers);
    if (text === undefined) return next();
    return c.req.path.startsWith('/api/') ? c.json({ message: text }, MISDIRECTED) : c.text(text, MISDIRECTED);
  };
}

function reported(header: string | string[] | undefined, hops: number): string | undefined {
  const hosts = (header ?? '').toString().split(',');
  return (hosts.at(-hops) ?? hosts[0])?.trim();
}

/** The name without the port, in lower case; undefined for what is no host. */
function nameOf(host: string): string | undefined {
  const [, name] = /^(\.?[a-z\d_](?:[a-z\d_.-]{0,252})|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i.exec(host) ?? [];
  return name?.toLowerCase().replace(/\.$/, '');
}

function sentence(host: string, name: string | undefined): string {
  if (name === undefined) return 'The address of this request names no host.';
  return (
    `This server does not answer for ${host}. If that is its address, the person who runs it sets ` +
    `DOMAIN_CLIENT=http://${host} (or https), or adds ${name} to ALLOWED_HOSTS, and starts it again.`
  );
}
