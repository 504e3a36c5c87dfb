// The state of a flow to another site and back, in one signed cookie.
import { SignJWT, jwtVerify } from 'jose';
import * as z from 'zod';
import type { Http } from './request-info.ts';

const LIFE_SECONDS = 600;
const ALGORITHM = 'HS256';
const AUDIENCE = 'parley';

export interface StateCookie<State> {
  /** Writes the cookie, valid for ten minutes. */
  write(http: Http, secret: string, state: State): Promise<void>;
  /** Reads and deletes the cookie: each state is used once. Null when it is absent, used or forged. */
  consume(http: Http, secret: string): Promise<State | null>;
}

/** `name` is the cookie's; it also keeps a state of one kind from being taken for another. */
export function createStateCookie<State extends Record<string, unknown>>(
  name: string,
  schema: z.ZodType<State>,
): StateCookie<State> {
  const Typed = z.looseObject({ typ: z.literal(name) });
  return {
    async write(http, secret, state) {
      const token = await new SignJWT({ ...state, typ: name })
        .setProtectedHeader({ alg: ALGORITHM })
        .setAudience(AUDIENCE)
        .setIssuedAt()
        .setExpirationTime(`${LIFE_SECONDS} s`)
        .sign(Buffer.from(secret));
      setCookie(http, name, token, LIFE_SECONDS);
    },
    async consume(http, secret) {
      setCookie(http, name, '', 0);
      try {
        const options = { algorithms: [ALGORITHM], audience: AUDIENCE };
        const { payload } = await jwtVerify(readCookie(http, name), Buffer.from(secret), options);
        return schema.parse(Typed.parse(payload));
      } catch {
        return null;
      }
    },
  };
}

/** The way back is a cross-site navigation, so the cookie must be `SameSite=Lax`. */
function setCookie(http: Http, name: string, value: string, seconds: number): void {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${seconds}`, ...(http.secure ? ['Secure'] : [])];
  http.setHeader('Set-Cookie', [`${nameOf(http, name)}=${value}`, ...attributes].join('; '));
}

function readCookie(http: Http, name: string): string {
  const pairs = (http.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const start = `${nameOf(http, name)}=`;
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? '';
}

/** With the prefix `__Host-` a browser accepts the cookie only from this host and over https. */
function nameOf({ secure }: Http, name: string): string {
  return secure ? `__Host-${name}` : name;
}
