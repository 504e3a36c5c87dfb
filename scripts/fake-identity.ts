/**
 * Fake sign-in sites: Google, Facebook, GitHub, Discord and an OpenID provider, each with its real protocol below a
 * path of its name. Tests and `dev` start them as a library; as a program it prints its address:
 *   node --import tsx scripts/fake-identity.ts --port 4020
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { SignInSite } from '@parley/schema/catalog/sign-in-sites';
import {
  authorize,
  CLIENT_ID,
  CLIENT_SECRET,
  exchange,
  findGrant,
  type Accounts,
} from './fake-identity/oauth-endpoints.ts';
import { people, type FakePerson } from './fake-identity/accounts.ts';
import { createSigner } from './fake-identity/signer.ts';
import { json, type SiteRequest, type SiteResponse, type Site } from './fake-identity/site-protocol.ts';
import { listenLocally } from './local-server.ts';
import { discord, facebook, github, google, openIdWith, type OpenIdBehaviour } from './fake-identity/sites.ts';

export type { FakePerson, AccountFault } from './fake-identity/accounts.ts';

export interface FakeIdentity {
  url: string;
  /** The environment variables for a server that offers all of these sites. */
  env: Record<string, string>;
  /** `<site> <path>` of every call, oldest first. */
  calls: string[];
  openid: OpenIdBehaviour;
  /** Adds a person, or replaces one. */
  introduce(name: string, person: FakePerson): void;
  /** Changes the signing key. */
  rotateKeys(): void;
  close(): Promise<void>;
}

/** Resolves when it listens; port 0 takes a free one. Throws when the port is taken. */
export async function startFakeIdentity({ port = 0, host = '127.0.0.1' } = {}): Promise<FakeIdentity> {
  const openid: OpenIdBehaviour = {
    isDown: false,
    auth: ['basic', 'post'],
    issuer: null,
    accessToken: 'jwt',
    tokenFields: {},
  };
  const sites: Record<SignInSite, Site> = { google, facebook, github, discord, openid: openIdWith(openid) };
  const books: Accounts = { people: new Map(Object.entries(people)), codes: new Map(), tokens: new Map() };
  const signer = createSigner();
  const calls: string[] = [];
  const { url, close } = await listenLocally(respond, { port, host });
  return {
    url,
    env: envOf(url),
    calls,
    openid,
    introduce: (name, person) => void books.people.set(name, person),
    rotateKeys: () => signer.rotate(),
    close,
  };

  async function respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(message.url ?? '/', url);
    const [, name = '', path = ''] = /^\/(\w+)(\/.*)$/.exec(pathname) ?? [];
    // Browsers request it from every site.
    if (pathname === '/favicon.ico') return void response.writeHead(204).end();
    calls.push(`${name} ${path}`);
    if (name === 'openid' && openid.isDown) return void response.destroy();
    const { method = 'GET', headers } = message;
    const said = sayOf(name, { method, path, query, form: new URLSearchParams(await text(message)), headers });
    if (said !== 'silence') write(response, said);
  }

  function sayOf(name: string, asked: SiteRequest): SiteResponse | 'silence' {
    const site = isName(name) ? sites[name] : null;
    if (!site) return json({ error: 'not found' }, 404);
    const desk = { issuer: `${url}/${name}`, signer };
    const { method, path } = asked;
    if (path === site.authorizePath) return authorize(books, name, site, desk.issuer, asked);
    if (path === site.tokenPath && method === 'POST') return exchange(books, name, site, desk, asked);
    const open = site.open?.(desk, asked);
    if (open) return open;
    const grant = findGrant(books, name, asked);
    return (grant && site.about(grant, asked)) ?? json({ error: 'unauthorized' }, 401);
  }

  function isName(name: string): name is SignInSite {
    return Object.hasOwn(sites, name);
  }
}

function write(response: ServerResponse, { status, body, headers }: SiteResponse): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers });
  response.end(isText ? body : JSON.stringify(body));
}

function envOf(url: string): Record<string, string> {
  const names = ['GOOGLE', 'FACEBOOK', 'GITHUB', 'DISCORD', 'OPENID'];
  const clients = names.flatMap((name) => [
    [`${name}_CLIENT_ID`, CLIENT_ID],
    [`${name}_CLIENT_SECRET`, CLIENT_SECRET],
  ]);
  const hosts = names.slice(0, -1).map((name) => [`${name}_OAUTH_URL`, `${url}/${name.toLowerCase()}`]);
  return {
    ALLOW_SOCIAL_LOGIN: 'true',
    ALLOW_SOCIAL_REGISTRATION: 'true',
    OPENID_ISSUER: `${url}/openid`,
    ...Object.fromEntries([...clients, ...hosts]),
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string' }, host: { type: 'string' } } });
  const identity = await startFakeIdentity({ port: Number(values.port ?? 4020), host: values.host });
  for (const [name, value] of Object.entries(identity.env)) console.log(`${name}=${value}`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void identity.close());
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
