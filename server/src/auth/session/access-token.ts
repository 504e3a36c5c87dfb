// Access tokens: short-lived signed JWTs. They name the session (`sid`), not the refresh token, so that a rotation does
// not invalidate them.
import { SignJWT, jwtVerify } from 'jose';
import * as z from 'zod';

const ALGORITHM = 'HS256';
const AUDIENCE = 'parley';
const TYPE = 'access';

const Claims = z.object({ id: z.uuid(), sid: z.uuid(), typ: z.literal(TYPE), exp: z.number() });

interface AccessToken {
  userId: string;
  sid: string;
}

interface Holder {
  id: string;
  username: string | null;
  provider: string;
  email: string;
}

/** Signs a token that is valid for `lifetimeMs` from `now`. */
export function signAccessToken(
  secret: string,
  holder: Holder,
  sid: string,
  lifetimeMs: number,
  now: Date = new Date(),
): Promise<string> {
  const { id, username, provider, email } = holder;
  return new SignJWT({ id, username, provider, email, typ: TYPE, sid })
    .setProtectedHeader({ alg: ALGORITHM })
    .setAudience(AUDIENCE)
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + lifetimeMs))
    .sign(keyOf(secret));
}

/** Null for a token that is invalid or expired at `now`. */
export async function verifyAccessToken(
  secret: string,
  token: string,
  now: Date = new Date(),
): Promise<AccessToken | null> {
  try {
    const options = { algorithms: [ALGORITHM], audience: AUDIENCE, currentDate: now };
    const { payload } = await jwtVerify(token, keyOf(secret), options);
    const claims = Claims.parse(payload);
    return { userId: claims.id, sid: claims.sid };
  } catch {
    return null;
  }
}

function keyOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
