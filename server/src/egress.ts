// The one way to an address that a user gave. Whoever may name an address must not reach by it what only this machine or
// its network can reach. So it is called by https, at a public address that is looked up and judged at the moment of
// connecting, since a name may mean another address by then; and a redirect leads nowhere. The operator may exempt hosts.
import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Agent, Response as UndiciResponse } from 'undici';
import { isHttpUrl, toBaseUrl } from './config/addresses.ts';
import { Refusal, refuse } from './errors.ts';

export interface Egress {
  /** As the function of the same name, with this server's exempt hosts. */
  baseURLOf(text: string): string;
  /**
   * As the global one, called with an address.
   * @throws Refusal `forbidden_base_url` where nothing may be called
   */
  fetch: typeof fetch;
}

/** Looks up all addresses of a name. */
export type Resolve = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const CONNECT_TIMEOUT_MS = 10_000;

/** `exempt` are hosts of the operator's: `host`, `host:port` or `.suffix`. */
export function createEgress(exempt: readonly string[], resolve: Resolve = lookup): Egress {
  const agents = new Map<LookupFunction, Agent>();
  const judging = judgingLookup(resolve);
  return {
    baseURLOf: (text) => baseURLOf(text, exempt),
    async fetch(input, init) {
      if (input instanceof Request) throw new TypeError('An address is called, not a request');
      const url = new URL(input);
      assertCallable(url, exempt);
      // Loaded when it is first wanted: most servers call no address of a user's.
      const undici = await import('./egress-client.ts');
      const dispatcher = agentOf(undici, isExempt(url, exempt) ? lookup : judging);
      // The two libraries describe the same things by types of their own.
      const request = { ...(init as object), dispatcher, redirect: 'error' as const };
      const response = await undici.fetch(url, request).catch((error: unknown) => {
        throw refusalIn(error) ?? error;
      });
      return asGlobal(response);
    },
  };

  function agentOf(undici: { Agent: typeof Agent }, look: LookupFunction): Agent {
    const known = agents.get(look);
    if (known) return known;
    const agent = new undici.Agent({ connect: { timeout: CONNECT_TIMEOUT_MS, lookup: look } });
    agents.set(look, agent);
    return agent;
  }
}

/** Gives a connection the addresses of a name. One that is not public spoils it: which of them is taken is chance. */
export function judgingLookup(resolve: Resolve): LookupFunction {
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
 * The address below which the paths of a provider begin, as a user wrote it; that of the completions themselves will do.
 * A name is not looked up yet.
 * @throws Refusal `forbidden_base_url`
 */
export function baseURLOf(text: string, exempt: readonly string[]): string {
  const given = text.trim();
  if (!isHttpUrl(given)) refuse({ type: 'forbidden_base_url', host: given.slice(0, HOST_MAX) });
  const url = new URL(given);
  assertCallable(url, exempt);
  return toBaseUrl(url.href);
}

/** As much of a text that is no address as is repeated to who wrote it. */
const HOST_MAX = 100;

/** Whether an address of the network may be called by users' wishes: a global unicast one. */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  const isGlobal = address.range() === 'unicast';
  // Of IPv6 only this eighth is global; the rest holds IPv4 addresses in disguise, among others.
  return isGlobal && (address.kind() === 'ipv4' || address.match(ipaddr.parseCIDR('2000::/3')));
}

function assertCallable(url: URL, exempt: readonly string[]): void {
  const { username, password, search, hash } = url;
  const isPlain = username + password + search + hash === '';
  if (!isPlain || !(isExempt(url, exempt) || isOpen(url))) refuse({ type: 'forbidden_base_url', host: url.host });
}

/** A number is judged here, whichever way it was written: nobody looks it up. */
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

/** What `judging` said, from within the errors of the connection. */
function refusalIn(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  return error instanceof Error && error.cause ? refusalIn(error.cause) : undefined;
}

/** The clients of the providers know the answers of the platform only. */
function asGlobal({ body, status, statusText, headers }: UndiciResponse): Response {
  return new Response(body as ReadableStream<Uint8Array> | null, { status, statusText, headers: [...headers] });
}
