// How MCP servers are requested: through the egress guard, with limits on time and size.
import type { FetchLike } from '@modelcontextprotocol/client';
import type { Config } from '../config/config.ts';
import { createEgress, type Egress } from '../platform/egress.ts';
import { lenientResponse } from './lenient-wire.ts';
import type { McpServerEntry } from './servers.ts';

/** The longest body of one answer. */
export const ANSWER_MAX_BYTES = 8 * 1024 * 1024;
/** An answer may end after its call has: the message of the call's own limit is better. */
const LATER_MS = 5_000;
/** For connecting and lists, however short calls may be. */
const LEAST_MS = 10_000;

/** The longest time of a stream of events: it ends before with its connection. */
const STREAM_MS = 24 * 60 * 60_000;

/** @param what `events` opens a stream that stays open, of which each event is bounded; else one answer is read */
export type CreateServerFetch = (
  server: Pick<McpServerEntry, 'target' | 'isShared' | 'isSaved' | 'timeoutMs'>,
  what?: 'answers' | 'events',
) => FetchLike;

const refused = new WeakMap<Response, string>();

/** The bearer token of the request that got this answer, where it was refused; else null. */
export function findRefusedToken(response: Response): string | null {
  return refused.get(response) ?? null;
}

/**
 * The hosts of the servers of the yaml file are exempt from the guard, and called through the outbound proxy; what such a
 * server names beside itself is not.
 */
export function createServerFetch(config: Config, egress: Egress): CreateServerFetch {
  const hosts = config.mcp.servers.flatMap(({ target, isSaved }) =>
    target.type === 'http' && !isSaved ? [hostOf(target.url)] : [],
  );
  const ofOperator = createEgress([...config.server.egressAllowedHosts, ...hosts], undefined, hosts);
  return ({ isShared, isSaved, timeoutMs }, what = 'answers') => {
    const by = isShared && !isSaved ? ofOperator : egress;
    return what === 'events' ? fetchEventsBy(by) : fetchBy(by, Math.max(timeoutMs, LEAST_MS) + LATER_MS);
  };
}

function hostOf(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

function fetchBy(egress: Egress, timeoutMs: number): FetchLike {
  return async (url, init = {}) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const method = init.method ?? 'GET';
    // Nobody listens to what servers say unasked, so no stream is kept open for it.
    if (method === 'GET' && isStream(headers) && !headers['last-event-id']) return new Response(null, { status: 405 });
    const limits = { maxBytes: ANSWER_MAX_BYTES, timeoutMs, ...(init.signal && { signal: init.signal }) };
    const called = await egress.call(url.toString(), { method, headers, body: bodyOf(init.body) }, limits);
    const response = lenientResponse(called, ANSWER_MAX_BYTES);
    noteRefusedToken(response, headers);
    return response;
  };
}

/** Each event is bounded where it is read. */
function fetchEventsBy(egress: Egress): FetchLike {
  return async (url, init = {}) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const limits = { maxBytes: Infinity, timeoutMs: STREAM_MS, ...(init.signal && { signal: init.signal }) };
    const called = await egress.call(url.toString(), { method: 'GET', headers }, limits);
    const response = lenientResponse(called, ANSWER_MAX_BYTES);
    noteRefusedToken(response, headers);
    return response;
  };
}

function noteRefusedToken(response: Response, { authorization = '' }: Record<string, string>): void {
  if (response.status === 401) refused.set(response, authorization.replace(/^Bearer /i, ''));
}

function isStream({ accept = '' }: Record<string, string>): boolean {
  return accept.includes('text/event-stream') && !accept.includes('json');
}

function bodyOf(body: RequestInit['body']): string | undefined {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('Only text is sent to MCP servers');
}
