// Plain OAuth 2.0: an access token with which to request the user's profile.
import { CodeChallengeMethod, OAuth2Client } from 'arctic';
import { requestTokens, type TokenRequest } from './token-request.ts';
import type { IdentityProvider, OAuthClient, Profile } from './identity-provider.ts';

export interface OAuthSite {
  /** The namespace of its subjects: the same id at another host is another user. */
  realm: string;
  authorizeURL: string;
  tokenURL: string;
  scopes: readonly string[];
  takesChallenge: boolean;
  auth: TokenRequest['auth'];
  whoIs: (accessToken: string) => Promise<Profile>;
}

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
      const tokens = await requestTokens({ tokenURL, client, auth, code, verifier: takesChallenge ? verifier : null });
      return whoIs(tokens.accessToken());
    },
  };
}
