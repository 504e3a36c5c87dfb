// The only way to request a URL that a user gave (SSRF protection). Such a request must not reach hosts that only this
// machine or its network can reach. So it uses https, connects only to public addresses checked at connect time (DNS
// rebinding), and follows no redirects. The operator can exempt hosts.
import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Agent, Response as UndiciResponse } from 'undici';
import { isHttpUrl, toBaseUrl } from '../config/addresses.ts';
import { readBounded, withDeadline } from './deadline.ts';
import { Refusal, refuse } from './errors.ts';

export interface Egress {
  /** Like the function of the same name, with the operator's exempt hosts. */
  baseURLOf(text: string): string;
  /**
   * Like the global `fetch`, but takes only a URL string.
   * @throws Refusal `forbidden_base_url` for a forbidden address
   */
  fetch: typeof fetch;
  /**
   * Reads a whole body from a URL, which may have a query, under the same rules.
   * @throws Refusal `forbidden_base_url`; Error for any other failure, or a body over the limit
   */
  download(url: string, limits: DownloadLimits): Promise<Uint8Array>;
  /**
   * Sends any request, to a URL that may have a query. A redirect is returned, not followed. The body of the response
   * ends with an error when it is longer than the limit, or when the time is over.
   * @throws Refusal `forbidden_base_url`; Error when nothing answers in time
   */
  call(url: string, init: CallInit, limits: DownloadLimits): Promise<Response>;
}

export interface CallInit {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | undefined;
}

export interface DownloadLimits {
  maxBytes: number;
  /** For all of it. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** Resolves a host name to all its addresses. */
export type Resolve = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * `exempt` are the operator's exempt hosts: `host`, `host:port` or `.suffix`. Those of them that are `ofOperator` are
 * services that the operator names: they are called through the outbound proxy, where there is one.
 */
export function createEgress(
  exempt: readonly string[],
  resolve: Resolve = lookup,
  ofOperator: readonly string[] = [],
): Egress {
  const agents = new Map<LookupFunction, Agent>();
  const guarded = guardedLookup(resolve);
  return {
    baseURLOf: (text) => checkedBaseURL(text, exempt),
    async fetch(input, init) {
      if (input instanceof Request) throw new TypeError('An address is called, not a request');
      const url = new URL(input);
      assertCallable(url, exempt);
      return request(url, init);
    },
    async download(input, { maxBytes, timeoutMs, signal }) {
      const url = urlWithQuery(input);
      const response = await request(url, { signal: withDeadline(timeoutMs, signal) });
      if (!response.ok) throw new Error(`${url.host} answers ${response.status}`);
      return readBounded(response, maxBytes, () => tooLong(maxBytes));
    },
    async call(input, init, { maxBytes, timeoutMs, signal }) {
      const response = await request(
        urlWithQuery(input),
        { ...init, body: init.body ?? null, signal: withDeadline(timeoutMs, signal) },
        'manual',
      );
      const { status, statusText, headers } = response;
      return new Response(response.body && bounded(response.body, maxBytes), { status, statusText, headers });
    },
  };

  /** @throws Refusal `forbidden_base_url` */
  function urlWithQuery(input: string): URL {
    if (!isHttpUrl(input)) refuse({ type: 'forbidden_base_url', host: input.slice(0, HOST_MAX) });
    const url = new URL(input);
    const location = new URL(url);
    location.search = '';
    assertCallable(location, exempt);
    return url;
  }

  async function request(
    url: URL,
    init: RequestInit | undefined,
    redirect: 'error' | 'manual' = 'error',
  ): Promise<Response> {
    // Loaded on first use: most servers never request a user's URL.
    const undici = await import('./undici.ts');
    const dispatcher = isExempt(url, ofOperator)
      ? undici.getGlobalDispatcher()
      : agentOf(undici, isExempt(url, exempt) ? lookup : guarded);
    // The two libraries have their own types for the same objects.
    const options = { ...(init as object), dispatcher, redirect };
    const response = await undici.fetch(url, options).catch((error: unknown) => {
      throw refusalIn(error) ?? error;
    });
    return asGlobal(response);
  }

  function agentOf(undici: { Agent: typeof Agent }, look: LookupFunction): Agent {
    const known = agents.get(look);
    if (known) return known;
    const agent = new undici.Agent({ connect: { timeout: CONNECT_TIMEOUT_MS, lookup: look } });
    agents.set(look, agent);
    return agent;
  }
}

/** A DNS lookup that fails if any address of the name is not public, since the connection may use any of them. */
export function guardedLookup(resolve: Resolve): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname, { all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isPublic(address)))
        return callback(new Refusal({ type: 'forbidden_base_url', host: hostname }), []);
      if (all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * Normalizes and checks a user's base URL; also accepts the full URL of the completions. Does not resolve the host.
 * @throws Refusal `forbidden_base_url`
 */
export function checkedBaseURL(text: string, exempt: readonly string[]): string {
  const given = text.trim();
  if (!isHttpUrl(given)) refuse({ type: 'forbidden_base_url', host: given.slice(0, HOST_MAX) });
  const url = new URL(given);
  assertCallable(url, exempt);
  return toBaseUrl(url.href);
}

/** Maximum length of an invalid URL that is quoted back. */
const HOST_MAX = 100;

/** Cloud metadata services at global addresses: Azure's. The others are link-local, private or not global unicast. */
const METADATA = ['168.63.129.16'];

/** Whether an IP address may be requested for users: global unicast only. */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  const isGlobal = address.range() === 'unicast' && !METADATA.includes(address.toString());
  // Only 2000::/3 is global; other ranges contain, among others, embedded IPv4 addresses.
  return isGlobal && (address.kind() === 'ipv4' || address.match(ipaddr.parseCIDR('2000::/3')));
}

function assertCallable(url: URL, exempt: readonly string[]): void {
  const { username, password, search, hash } = url;
  const isPlain = username + password + search + hash === '';
  if (!isPlain || !(isExempt(url, exempt) || isOpen(url))) refuse({ type: 'forbidden_base_url', host: url.host });
}

/** Checks IP literals here, in any notation, since they are never looked up. */
function isOpen({ protocol, port, hostname }: URL): boolean {
  if (protocol !== 'https:' || port !== '') return false;
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  return !ipaddr.isValid(literal) || isPublic(literal);
}

function isExempt({ protocol, hostname, port }: URL, exempt: readonly string[]): boolean {
  const usual = protocol === 'https:' ? '443' : '80';
  return exempt.some((entry) =>
    entry.startsWith('.') ? hostname.endsWith(entry) : entry === hostname || entry === `${hostname}:${port || usual}`,
  );
}

function tooLong(maxBytes: number): Error {
  return new Error(`The body has more than ${maxBytes} bytes`);
}

function bounded(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(tooLong(maxBytes));
      else controller.enqueue(chunk);
    },
  });
  return body.pipeThrough(counter);
}

/** The refusal of `guardedLookup`, unwrapped from the connection error. */
function refusalIn(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  return error instanceof Error && error.cause ? refusalIn(error.cause) : undefined;
}

/** Provider clients expect the global Response class. */
function asGlobal({ body, status, statusText, headers }: UndiciResponse): Response {
  return new Response(body as ReadableStream<Uint8Array> | null, { status, statusText, headers: [...headers] });
}
