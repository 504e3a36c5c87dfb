// State of a pending OAuth sign-in in one signed cookie: prevents login CSRF and the injection of somebody else's code.
import { createHash, timingSafeEqual } from 'node:crypto';
import { SignJWT, jwtVerify } from 'jose';
import * as z from 'zod';
import type { OAuthProviderName } from '../../config/parts/oauth.ts';
import type { Http } from '../../http/request-info.ts';

export interface OAuthState {
  provider: OAuthProviderName;
  /** Returned in the callback URL. */
  state: string;
  /** The PKCE code verifier. */
  verifier: string;
  /** Returned in the ID token. */
  nonce: string;
}

const LIFE_SECONDS = 600;
const ALGORITHM = 'HS256';
const AUDIENCE = 'parley';
const TYPE = 'oauth-state';

const Claims = z.object({
  typ: z.literal(TYPE),
  provider: z.enum(['google', 'facebook', 'openid', 'github', 'discord']),
  state: z.string().min(1),
  verifier: z.string(),
  nonce: z.string(),
});

/** Writes the signed cookie, valid for ten minutes. */
export async function writeStateCookie(http: Http, secret: string, oauthState: OAuthState): Promise<void> {
  const token = await new SignJWT({ ...oauthState, typ: TYPE })
    .setProtectedHeader({ alg: ALGORITHM })
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(`${LIFE_SECONDS} s`)
    .sign(keyOf(secret));
  setCookie(http, token, LIFE_SECONDS);
}

/**
 * Reads and deletes the cookie: each state is used once, whatever the outcome. Null when it is absent, used or forged.
 */
export async function consumeStateCookie(http: Http, secret: string): Promise<OAuthState | null> {
  setCookie(http, '', 0);
  try {
    const options = { algorithms: [ALGORITHM], audience: AUDIENCE };
    const { payload } = await jwtVerify(readCookie(http), keyOf(secret), options);
    return Claims.parse(payload);
  } catch {
    return null;
  }
}

/** Constant-time comparison. */
export function isSameState(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

/** The callback is a cross-site navigation, so the cookie must be `SameSite=Lax`. */
function setCookie(http: Http, value: string, seconds: number): void {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${seconds}`, ...(http.secure ? ['Secure'] : [])];
  http.setHeader('Set-Cookie', [`${nameOf(http)}=${value}`, ...attributes].join('; '));
}

function readCookie(http: Http): string {
  const pairs = (http.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const start = `${nameOf(http)}=`;
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? '';
}

/** With the prefix `__Host-` a browser accepts the cookie only from this host and over https. */
function nameOf({ secure }: Http): string {
  return secure ? '__Host-oauth-state' : 'oauth-state';
}

function keyOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
