// The authorization server of the fake MCP server: metadata, dynamic registration, consent, tokens.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { asFields } from '@parley/schema/json';
import { sendJson } from '../local-server.ts';
import { giveCode, takeCode, type OAuthCodes } from './oauth-codes.ts';

export interface Authorizations {
  accessTokens: Set<string>;
  refreshTokens: Set<string>;
  /** The forms that the token endpoint was sent, the oldest first. */
  tokenForms: Record<string, string>[];
  /** What clients registered, the oldest first. */
  registrations: Record<string, unknown>[];
  /** Seconds that new tokens live. */
  tokenSeconds: number;
  /** Answers every request for a token with 503. */
  isDown: boolean;
  clients: Set<string>;
  codes: OAuthCodes;
}

export function createAuthorizations(): Authorizations {
  return {
    accessTokens: new Set(),
    refreshTokens: new Set(),
    tokenForms: [],
    registrations: [],
    tokenSeconds: 3600,
    isDown: false,
    clients: new Set(),
    codes: new Map(),
  };
}

export async function respondOAuth(
  state: Authorizations,
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '', origin);
  switch (url.pathname) {
    case '/.well-known/oauth-protected-resource/mcp':
    case '/.well-known/oauth-protected-resource/sse': {
      const resource = `${origin}/${url.pathname.slice(-3)}`;
      return sendJson(response, 200, { resource, authorization_servers: [origin] });
    }
    case '/.well-known/oauth-authorization-server':
      return sendJson(response, 200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      });
    case '/register':
      return register(state, await text(request), response);
    case '/authorize':
      return giveCode(state.codes, url.searchParams, (id) => state.clients.has(id), response);
    case '/token':
      return giveToken(state, await text(request), response);
    default:
      return sendJson(response, 404, { error: 'not_found' });
  }
}

function register(state: Authorizations, body: string, response: ServerResponse): void {
  const metadata = asFields(JSON.parse(body));
  state.registrations.push(metadata);
  const id = randomUUID();
  state.clients.add(id);
  sendJson(response, 201, { ...metadata, client_id: id });
}

function giveToken(state: Authorizations, body: string, response: ServerResponse): void {
  const form = Object.fromEntries(new URLSearchParams(body));
  state.tokenForms.push(form);
  if (state.isDown) return sendJson(response, 503, { error: 'temporarily_unavailable' });
  if (!state.clients.has(form.client_id ?? '')) return sendJson(response, 401, { error: 'invalid_client' });
  if (!isGranted(state, form)) return sendJson(response, 400, { error: 'invalid_grant' });
  const [access, refresh] = [randomUUID(), randomUUID()];
  state.accessTokens.add(access);
  state.refreshTokens.add(refresh);
  const token = { access_token: access, token_type: 'Bearer', refresh_token: refresh };
  sendJson(response, 200, { ...token, expires_in: state.tokenSeconds });
}

function isGranted({ codes, refreshTokens }: Authorizations, form: Record<string, string>): boolean {
  // Each refresh token is good for once.
  if (form.grant_type === 'refresh_token') return refreshTokens.delete(form.refresh_token ?? '');
  return takeCode(codes, form);
}
