// State of a pending OAuth sign-in in one signed cookie: prevents login CSRF and the injection of somebody else's code.
import * as z from 'zod';
import { InvitationToken } from '@parley/schema/accounts/registration';
import { SIGN_IN_SITE_NAMES } from '@parley/schema/catalog/sign-in-sites';
import { createStateCookie } from '../../platform/requests/signed-cookie.ts';
import type { OAuthState } from './identity-provider.ts';

export const oauthStateCookie = createStateCookie<OAuthState>(
  'oauth-state',
  z.object({
    provider: z.enum(SIGN_IN_SITE_NAMES),
    state: z.string().min(1),
    verifier: z.string(),
    nonce: z.string(),
    invitation: InvitationToken.optional(),
  }),
);
