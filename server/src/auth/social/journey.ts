// What a browser takes along to another site's sign-in and has to show when it comes back, in one cookie: so that nobody
// comes back who did not leave from here (login CSRF), and no code is used that was given to somebody else.
import { createHash, timingSafeEqual } from 'node:crypto';
import { SignJWT, jwtVerify } from 'jose';
import * as z from 'zod';
import type { SocialProvider } from '../../config/social.ts';
import type { Http } from '../../trpc.ts';

export interface Journey {
  provider: SocialProvider;
  /** Comes back in the address. */
  state: string;
  /** Of the challenge that goes with the request for a code. */
  verifier: string;
  /** Comes back in the ID token. */
  nonce: string;
}

const LIFE_SECONDS = 600;
const ALGORITHM = 'HS256';
const AUDIENCE = 'parley';
const TYPE = 'journey';

const Claims = z.object({
  typ: z.literal(TYPE),
  provider: z.enum(['google', 'facebook', 'openid', 'github', 'discord']),
  state: z.string().min(1),
  verifier: z.string(),
  nonce: z.string(),
});

/** The cookie is signed, and good for ten minutes. */
export async function setJourney(http: Http, secret: string, journey: Journey): Promise<void> {
  const token = await new SignJWT({ ...journey, typ: TYPE })
    .setProtectedHeader({ alg: ALGORITHM })
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(`${LIFE_SECONDS} s`)
    .sign(keyOf(secret));
  setCookie(http, token, LIFE_SECONDS);
}

/** A journey ends at its first return, however that goes. Null for who has none, an ended and a made-up one. */
export async function takeJourney(http: Http, secret: string): Promise<Journey | null> {
  setCookie(http, '', 0);
  try {
    const options = { algorithms: [ALGORITHM], audience: AUDIENCE };
    const { payload } = await jwtVerify(readCookie(http), keyOf(secret), options);
    return Claims.parse(payload);
  } catch {
    return null;
  }
}

/** Takes the same time wherever they differ. */
export function isSameState(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

/** Another site leads back here, so the cookie has to come along from there. */
function setCookie(http: Http, value: string, seconds: number): void {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${seconds}`, ...(http.secure ? ['Secure'] : [])];
  http.setHeader('Set-Cookie', [`${nameOf(http)}=${value}`, ...attributes].join('; '));
}

function readCookie(http: Http): string {
  const pairs = (http.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const start = `${nameOf(http)}=`;
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? '';
}

/** By this prefix a browser takes the cookie from nobody but this host, and by https alone. */
function nameOf({ secure }: Http): string {
  return secure ? '__Host-journey' : 'journey';
}

function keyOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
