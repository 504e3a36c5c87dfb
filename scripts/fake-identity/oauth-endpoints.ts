/** The consent page and the token exchange, as strict as the real ones. */
import { createHash, randomBytes } from 'node:crypto';
import type { FakePerson } from './accounts.ts';
import type { AuthorizationServer, Grant } from './grants.ts';
import { json, type SiteRequest, type SiteResponse, type Site } from './site-protocol.ts';

export const CLIENT_ID = 'parley-client';
/** Its encoding in a form differs from that in a header. */
export const CLIENT_SECRET = 'a secret+of/the=client';

export interface Accounts {
  people: Map<string, FakePerson>;
  codes: Map<string, Grant>;
  tokens: Map<string, Grant>;
}

/** Redirects back as the person in `as`; without one it shows the page that asks. */
export function authorize(
  books: Accounts,
  name: string,
  site: Site,
  issuer: string,
  { query }: SiteRequest,
): SiteResponse {
  const redirectURI = query.get('redirect_uri') ?? '';
  const fault = faultOf(site, query);
  if (fault) return { status: 400, body: `<h1>Invalid request: ${fault}</h1>` };
  const person = books.people.get(query.get('as') ?? '');
  if (!person) return { status: 200, body: pageOf(books, query), headers: { 'content-type': 'text/html' } };

  const back = new URL(redirectURI);
  back.searchParams.set('state', query.get('state') ?? '');
  if (person.trouble === 'denies') back.searchParams.set('error', 'access_denied');
  else {
    const code = randomBytes(16).toString('base64url');
    const challenge = query.get('code_challenge');
    const nonce = query.get('nonce');
    books.codes.set(code, { site: name, person, redirectURI, challenge, nonce, accessToken: newToken() });
    back.searchParams.set('code', code);
    if (nonce !== null) back.searchParams.set('iss', person.trouble === 'mix-up' ? 'https://other.example' : issuer);
  }
  return { status: 302, body: '', headers: { location: back.href } };
}

/** A code is valid once, for its client and redirect address, and with the verifier of its challenge. */
export function exchange(
  books: Accounts,
  name: string,
  site: Site,
  desk: AuthorizationServer,
  asked: SiteRequest,
): SiteResponse | 'silence' {
  const { form, headers } = asked;
  if (!isOurClient(site, form, headers.authorization)) return json({ error: 'invalid_client' }, 401);
  const code = form.get('code') ?? '';
  const grant = books.codes.get(code);
  books.codes.delete(code);
  const isGood =
    grant?.site === name &&
    form.get('grant_type') === 'authorization_code' &&
    form.get('redirect_uri') === grant.redirectURI &&
    challengeOf(form.get('code_verifier')) === grant.challenge;
  if (!isGood) return site.refusal('invalid_grant');
  switch (grant.person.trouble) {
    case 'slow':
      return 'silence';
    case 'fails':
      return json({ error: 'server_error' }, 500);
    case 'moved':
      return { status: 307, body: '', headers: { location: elsewhere(desk) } };
    case 'page':
      return { status: 200, body: '<h1>Welcome</h1>', headers: { 'content-type': 'text/html' } };
    case 'huge':
      return json({ access_token: 'x'.repeat(1_000_000) });
    default:
      break;
  }
  const more = site.tokens?.(desk, grant) ?? {};
  const accessToken = typeof more.access_token === 'string' ? more.access_token : grant.accessToken;
  books.tokens.set(accessToken, grant);
  return json({ access_token: accessToken, token_type: 'Bearer', expires_in: 3600, ...more });
}

/** The grant of a call's token. */
export function findGrant(books: Accounts, name: string, { headers }: SiteRequest): Grant | null {
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  const grant = books.tokens.get(token);
  return grant?.site === name ? grant : null;
}

function faultOf(site: Site, query: URLSearchParams): string | null {
  const scopes = query.get('scope')?.split(' ') ?? [];
  if (query.get('response_type') !== 'code') return 'response_type';
  if (query.get('client_id') !== CLIENT_ID) return 'client_id';
  if (!URL.canParse(query.get('redirect_uri') ?? '')) return 'redirect_uri';
  if ((query.get('state')?.length ?? 0) < 32) return 'state';
  if (!site.scopes.every((scope) => scopes.includes(scope))) return 'scope';
  const hasChallenge = query.has('code_challenge') && query.get('code_challenge_method') === 'S256';
  return hasChallenge === site.takesChallenge ? null : 'code_challenge';
}

function isOurClient(site: Site, form: URLSearchParams, header: string | undefined): boolean {
  const methods = site.auth();
  if (header !== undefined) {
    const written = Buffer.from(header.replace(/^Basic /, ''), 'base64').toString();
    const [id, secret] = written.split(':').map((part) => new URLSearchParams(`x=${part}`).get('x'));
    return methods.includes('basic') && id === CLIENT_ID && secret === CLIENT_SECRET;
  }
  const fits = form.get('client_id') === CLIENT_ID && form.get('client_secret') === CLIENT_SECRET;
  return methods.includes('post') && fits;
}

function challengeOf(verifier: string | null): string | null {
  return verifier === null ? null : createHash('sha256').update(verifier).digest('base64url');
}

/** The same server, by the name of another host. */
function elsewhere({ issuer }: AuthorizationServer): string {
  const url = new URL(`${issuer}/elsewhere`);
  url.hostname = 'localhost';
  return url.href;
}

function newToken(): string {
  return randomBytes(16).toString('base64url');
}

function pageOf({ people }: Accounts, query: URLSearchParams): string {
  const links = [...people.keys()].map((name) => {
    const own = new URLSearchParams(query);
    own.set('as', name);
    return `<li><a href="?${own.toString().replaceAll('&', '&amp;')}">${name}</a></li>`;
  });
  return `<!doctype html><html lang="en"><title>Who are you?</title><h1>Who are you?</h1><ul>${links.join('')}</ul></html>`;
}
