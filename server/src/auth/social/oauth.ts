// OAuth 2.0 alone: a token with which the provider can be asked who came.
import { CodeChallengeMethod, OAuth2Client } from 'arctic';
import type { SocialClient } from '../../config/social.ts';
import { exchange, type Purchase } from './exchange.ts';
import type { Person, Provider } from './provider.ts';

export interface OAuth {
  client: SocialClient;
  realm: string;
  authorizeURL: string;
  tokenURL: string;
  scopes: readonly string[];
  takesChallenge: boolean;
  auth: Purchase['auth'];
  whoIs: (accessToken: string) => Promise<Person>;
}

export function createOAuth(site: OAuth): Provider {
  const { client, realm, authorizeURL, tokenURL, scopes, takesChallenge, auth, whoIs } = site;
  const oauth = new OAuth2Client(client.clientId, null, client.redirectURI);
  return {
    realm,
    async start({ state, verifier }) {
      return takesChallenge
        ? oauth.createAuthorizationURLWithPKCE(authorizeURL, state, CodeChallengeMethod.S256, verifier, [...scopes])
        : oauth.createAuthorizationURL(authorizeURL, state, [...scopes]);
    },
    async identify({ code }, { verifier }) {
      const tokens = await exchange({ tokenURL, client, auth, code, verifier: takesChallenge ? verifier : null });
      return whoIs(tokens.accessToken());
    },
  };
}
