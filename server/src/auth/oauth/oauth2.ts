// Plain OAuth 2.0: an access token with which to request the user's profile.
import { CodeChallengeMethod, OAuth2Client } from 'arctic';
import { requestTokens } from './token-request.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { OAuthClient, OAuthSite } from '../../config/parts/sign-in-sites.ts';

export function createOAuth(client: OAuthClient, site: OAuthSite): IdentityProvider {
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
