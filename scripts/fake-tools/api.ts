// A stand-in for an API that actions call: it has an OpenAPI document, checks credentials of each kind, gives OAuth
// tokens to applications and to people who sign in, remembers what it was asked, and fails in every usual way.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { asFields } from '@parley/schema/json';
import { listenLocally, sendJson } from '../local-server.ts';
import { giveCode, takeCode, type OAuthCodes } from './oauth-codes.ts';
import { openApiDocument } from './openapi.ts';

export interface FakeApi {
  /** Without a trailing slash. */
  url: string;
  /** `127.0.0.1:<port>`, for the operator's list of exempt hosts. */
  host: string;
  /** Its OpenAPI document. */
  document: Record<string, unknown>;
  /** The requests of operations, the oldest first. */
  asked: AskedRequest[];
  /** The forms that the token endpoint was sent, the oldest first. */
  tokenForms: Record<string, string>[];
  /** How many connections of `/slow` the other side has closed. */
  abandoned: number;
  /** Makes every token that was given invalid; refresh tokens stay good. */
  revokeTokens(): void;
  /** Makes refresh tokens invalid. */
  revokeRefreshTokens(): void;
  /** The token endpoint answers only after this. */
  tokensHeld: Promise<void>;
  /** Seconds that new tokens live; null leaves it out of the answer. */
  tokenSeconds: number | null;
  close(): Promise<void>;
}

export interface AskedRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

export const FAKE_API = {
  key: 'fake-api-key',
  header: 'X-Api-Key',
  client: { id: 'fake-client', secret: 'fake-client-secret' },
  scope: 'pets:read',
};

const HUGE_BYTES = 8 * 1024 * 1024;
/** Where clouds tell secrets to anyone who asks from inside. */
const METADATA = 'http://169.254.169.254/latest/meta-data/';

interface State extends FakeApi {
  tokens: Set<string>;
  refreshTokens: Set<string>;
  codes: OAuthCodes;
  pets: Map<string, Record<string, unknown>>;
}

export async function startFakeApi(): Promise<FakeApi> {
  const { url, host, close } = await listenLocally((request, response) => respond(state, request, response));
  const state: State = {
    url,
    host,
    document: openApiDocument(url),
    asked: [],
    tokenForms: [],
    abandoned: 0,
    tokensHeld: Promise.resolve(),
    tokenSeconds: 3600,
    tokens: new Set(),
    refreshTokens: new Set(),
    codes: new Map(),
    pets: new Map([['1', { id: '1', name: 'Rex' }]]),
    revokeTokens: () => state.tokens.clear(),
    revokeRefreshTokens: () => state.refreshTokens.clear(),
    close,
  };
  return state;
}

async function respond(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', state.url);
  const body = await text(request);
  if (url.pathname === '/oauth/authorize') return giveCode(state.codes, url.searchParams, isClient, response);
  if (url.pathname === '/oauth/token') return await giveToken(state, request, body, response);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  state.asked.push({ method: request.method ?? '', path: request.url ?? '', headers, body });
  if (url.pathname === '/openapi.json') return sendJson(response, 200, state.document);
  const [, area = '', rest = ''] = /^\/([^/]*)\/?(.*)$/.exec(url.pathname) ?? [];
  switch (area) {
    case 'pets':
      return respondPets(state, { method: request.method ?? '', id: decodeURIComponent(rest), url, body }, response);
    case 'secured':
      if (!isAuthorized(state, rest, headers)) return sendJson(response, 401, { error: `No good ${rest} credentials` });
      return sendJson(response, 200, { secured: rest });
    default:
      return respondFault(state, area, request, response);
  }
}

function respondPets(
  { pets }: State,
  { method, id, url, body }: { method: string; id: string; url: URL; body: string },
  response: ServerResponse,
): void {
  if (method === 'GET' && id === '') {
    const tags = url.searchParams.getAll('tag');
    return sendJson(response, 200, { pets: [...pets.values()], limit: url.searchParams.get('limit'), tags });
  }
  if (method === 'POST' && id === '') {
    const pet = { ...asFields(JSON.parse(body)), id: String(pets.size + 1) };
    pets.set(pet.id, pet);
    return sendJson(response, 201, pet);
  }
  const known = pets.get(id);
  if (!known) return sendJson(response, 404, { error: `There is no pet ${id}` });
  if (method === 'DELETE') {
    pets.delete(id);
    response.writeHead(204).end();
    return;
  }
  if (method === 'PUT' || method === 'PATCH') pets.set(id, { ...known, ...asFields(JSON.parse(body)), id });
  sendJson(response, 200, pets.get(id) ?? known);
}

function respondFault(state: State, area: string, request: IncomingMessage, response: ServerResponse): void {
  switch (area) {
    case 'slow':
      // Never answers; the other side gives up.
      request.socket.once('close', () => state.abandoned++);
      return;
    case 'huge':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`"${'x'.repeat(HUGE_BYTES)}"`);
      return;
    case 'redirect':
      response.writeHead(302, { location: METADATA }).end();
      return;
    case 'page':
      response.writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' });
      response.end(Buffer.from('<h1>Caf\u00e9</h1>', 'latin1'));
      return;
    case 'picture':
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from('89504e470d0a1a0a', 'hex'));
      return;
    case 'broken':
      return sendJson(response, 500, { error: 'The database is gone' });
    case 'reset':
      request.socket.destroy();
      return;
    case 'echo':
      return sendJson(response, 200, state.asked.at(-1));
    default:
      return sendJson(response, 404, { error: 'Nothing here' });
  }
}

function isAuthorized({ tokens }: State, kind: string, headers: Record<string, string>): boolean {
  const { authorization = '' } = headers;
  switch (kind) {
    case 'bearer':
      return authorization === `Bearer ${FAKE_API.key}`;
    case 'basic':
      return authorization === `Basic ${Buffer.from(FAKE_API.key).toString('base64')}`;
    case 'custom':
      return headers[FAKE_API.header.toLowerCase()] === FAKE_API.key;
    case 'oauth':
      return tokens.has(authorization.replace(/^Bearer /, ''));
    default:
      return false;
  }
}

const isClient = (id: string) => id === FAKE_API.client.id;

async function giveToken(
  state: State,
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
): Promise<void> {
  const form = Object.fromEntries(new URLSearchParams(body));
  state.tokenForms.push(form);
  await state.tokensHeld;
  const basic = `Basic ${Buffer.from(`${FAKE_API.client.id}:${FAKE_API.client.secret}`).toString('base64')}`;
  const isPosted = form.client_id === FAKE_API.client.id && form.client_secret === FAKE_API.client.secret;
  if (!isPosted && request.headers.authorization !== basic) return sendJson(response, 401, { error: 'invalid_client' });
  if (!isGranted(state, form)) return sendJson(response, 400, { error: 'invalid_grant' });
  const token = { access_token: randomUUID(), token_type: 'Bearer' };
  state.tokens.add(token.access_token);
  const life = state.tokenSeconds === null ? {} : { expires_in: state.tokenSeconds };
  if (form.grant_type === 'client_credentials') return sendJson(response, 200, { ...token, ...life });
  const refresh = randomUUID();
  state.refreshTokens.add(refresh);
  sendJson(response, 200, { ...token, ...life, refresh_token: refresh });
}

function isGranted({ codes, refreshTokens }: State, form: Record<string, string>): boolean {
  switch (form.grant_type) {
    case 'client_credentials':
      return form.scope === FAKE_API.scope;
    case 'refresh_token':
      // Each is good for one use, as RFC 9700 (4.14.2) wants it.
      return refreshTokens.delete(form.refresh_token ?? '');
    case 'authorization_code':
      return takeCode(codes, form);
    default:
      return false;
  }
}
