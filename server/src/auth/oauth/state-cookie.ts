// State of a pending OAuth sign-in in one signed cookie: prevents login CSRF and the injection of somebody else's code.
import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { InvitationToken } from '@parley/schema/accounts/registration';
import { SIGN_IN_SITE_NAMES } from '@parley/schema/catalog/sign-in-sites';
import type { Http } from '../../platform/requests/request-info.ts';
import { createStateCookie } from '../../platform/requests/signed-cookie.ts';
import type { OAuthState } from './identity-provider.ts';

const cookie = createStateCookie<OAuthState>(
  'oauth-state',
  z.object({
    provider: z.enum(SIGN_IN_SITE_NAMES),
    state: z.string().min(1),
    verifier: z.string(),
    nonce: z.string(),
    invitation: InvitationToken.optional(),
  }),
);

/** Writes the signed cookie, valid for ten minutes. */
export function writeStateCookie(http: Http, secret: string, oauthState: OAuthState): Promise<void> {
  return cookie.write(http, secret, oauthState);
}

/**
 * Reads and deletes the cookie: each state is used once, whatever the outcome. Null when it is absent, used or forged.
 */
export function consumeStateCookie(http: Http, secret: string): Promise<OAuthState | null> {
  return cookie.consume(http, secret);
}

/** Constant-time comparison. */
export function isSameState(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
