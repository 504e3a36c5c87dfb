// Both halves of an OAuth sign-in: the redirect to the provider and the callback.
import { generateCodeVerifier, generateState, CodeChallengeMethod, OAuth2Client } from 'arctic';
import type { Config } from '../../config/config.ts';
import { refuse } from '../../platform/errors.ts';
import { isSameSecret } from '../../platform/secrets.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { limitSignInByAddress } from '../rate-limits.ts';
import { failSite } from './oauth-http.ts';
import { createOidc } from './oidc.ts';
import { signInByOAuth, type OAuthServices } from './oauth-sign-in.ts';
import { requestTokens } from './token-request.ts';
import type { IdentityProvider, OAuthState } from './identity-provider.ts';
import type { OAuthClient, OAuthSite } from '../../config/parts/sign-in-sites.ts';
import * as z from 'zod';
import { InvitationToken } from '@parley/schema/accounts/registration';
import { SIGN_IN_SITE_NAMES } from '@parley/schema/catalog/sign-in-sites';
import { createStateCookie } from '../../platform/requests/signed-cookie.ts';

const oauthStateCookie = createStateCookie<OAuthState>(
  'oauth-state',
  z.object({
    provider: z.enum(SIGN_IN_SITE_NAMES),
    state: z.string().min(1),
    verifier: z.string(),
    nonce: z.string(),
    invitation: InvitationToken.optional(),
  }),
);

export interface OAuthFlow {
  /** The provider's URL to redirect the browser to. `invitation` lets anyone who comes back register. */
  authorizeUrl(http: Http, invitation?: string): Promise<string>;
  /** Sets the session cookie. Returns the path in the app to redirect to. */
  handleCallback(http: Http, query: URLSearchParams): Promise<string>;
}

type ConfiguredSite = Config['accounts']['sites'][number];

/** Both methods throw OAuthHttpError and Refusal. */
export function createOAuthFlow(deps: OAuthServices, { name, client, protocol }: ConfiguredSite): OAuthFlow {
  const provider = 'whoIs' in protocol ? createOAuth(client, protocol) : createOidc(client, protocol);
  const { refreshSecret } = deps.secrets;
  return {
    async authorizeUrl(http, invitation) {
      await limitSignInByAddress(deps, http);
      const oauthState = {
        provider: name,
        state: generateState(),
        verifier: generateCodeVerifier(),
        nonce: generateState(),
        ...(invitation && { invitation }),
      };
      const url = await provider.start(oauthState);
      await oauthStateCookie.write(http, refreshSecret, oauthState);
      return url.href;
    },
    async handleCallback(http, query) {
      const oauthState = await oauthStateCookie.consume(http, refreshSecret);
      await limitSignInByAddress(deps, http);
      if (oauthState?.provider !== name || !isSameSecret(oauthState.state, query.get('state') ?? ''))
        return refuse({ type: 'social_login', why: 'expired' });
      const arrival = { code: codeIn(query), issuer: query.get('iss') };
      const person = await provider.identify(arrival, oauthState);
      const identity = { provider: provider.realm, subject: person.subject };
      if (person.isBarred) {
        await deps.directoryWatch.barredBySite(identity);
        return refuse({ type: 'social_login', why: 'no_role' });
      }
      const introduction = { name, identity, person, invitation: oauthState.invitation };
      return signInByOAuth(deps, http, introduction);
    },
  };
}

/** The authorization code. Refuses when there is none; a user who denies access is not an error. */
function codeIn(query: URLSearchParams): string {
  if (query.get('error') === 'access_denied') refuse({ type: 'social_login', why: 'cancelled' });
  return query.get('code') || failSite('the browser brings no code');
}

// Plain OAuth 2.0: an access token with which to request the user's profile.
function createOAuth(client: OAuthClient, site: OAuthSite): IdentityProvider {
  const { realm, authorizeURL, tokenURL, scopes, takesChallenge, auth, whoIs } = site;
  const oauth = new OAuth2Client(client.clientId, null, client.redirectURI);
  return {
    realm,
    async start({ state, verifier }) {
      return takesChallenge
        ? oauth.createAuthorizationURLWithPKCE(authorizeURL, state, CodeChallengeMethod.S256, verifier, [...scopes])
        : oauth.createAuthorizationURL(authorizeURL, state, [...scopes]);
    },
    async identify({ code }, { verifier }) {
      const challenged = takesChallenge ? verifier : null;
      const { accessToken } = await requestTokens({ tokenURL, client, auth, code, verifier: challenged });
      return whoIs(accessToken);
    },
  };
}

// State of a pending OAuth sign-in in one signed cookie: prevents login CSRF and the injection of somebody else's code.
