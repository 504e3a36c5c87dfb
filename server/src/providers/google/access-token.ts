import { createSign } from 'node:crypto';
import * as z from 'zod';
import { Refusal, refuse } from '../../platform/errors.ts';
import { readShortJson } from '../bounded-body.ts';
import { post } from '../sse-client.ts';
import type { ServiceKey } from './service-key.ts';

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const LIFE_SECONDS = 3600;
/** A token is not used in its last minute, so that it is still valid when the call arrives. */
const MARGIN_MS = 60_000;

const TokenResponse = z.object({ access_token: z.string().min(1), expires_in: z.number().default(LIFE_SECONDS) });

/** Tokens are cached as long as their key object lives. */
const tokens = new WeakMap<ServiceKey, { token: string; until: number }>();

/**
 * An access token for a service key: an assertion signed with the key, exchanged at its token endpoint.
 * @throws Refusal `invalid_api_key` when the key is not accepted
 */
export async function accessTokenFor(key: ServiceKey, endpoint: string, signal: AbortSignal): Promise<string> {
  const known = tokens.get(key);
  if (known && known.until > Date.now()) return known.token;
  const now = Date.now();
  const response = await post({
    url: key.tokenURL,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertionOf(key, Math.floor(now / 1000)),
    }).toString(),
    signal,
    endpoint,
  }).catch((error: unknown) => refuse(asKeyProblem(error, endpoint)));
  const { access_token: token, expires_in: seconds } = TokenResponse.parse(await readShortJson(response));
  tokens.set(key, { token, until: now + seconds * 1000 - MARGIN_MS });
  return token;
}

/** A refusal of the token endpoint (`invalid_grant` and the like) always means a bad key. */
function asKeyProblem(error: unknown, endpoint: string) {
  if (!(error instanceof Refusal)) throw error;
  return error.reason.type === 'provider_refused' ? ({ type: 'invalid_api_key', endpoint } as const) : error.reason;
}

/** `now` is in seconds. */
function assertionOf(key: ServiceKey, now: number): string {
  const header = { alg: 'RS256', typ: 'JWT', kid: key.privateKeyId };
  const claims = { iss: key.clientEmail, scope: SCOPE, aud: key.tokenURL, iat: now, exp: now + LIFE_SECONDS };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key.privateKey, 'base64url')}`;
}
