// Both halves of an OAuth sign-in: the redirect to the provider and the callback.
import { generateCodeVerifier, generateState } from 'arctic';
import type { Config } from '../../config/config.ts';
import { refuse } from '../../platform/errors.ts';
import { isSameSecret } from '../../platform/secrets.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { limitSignInByAddress } from '../rate-limits.ts';
import { failSite } from './oauth-http.ts';
import { oauthStateCookie } from './state-cookie.ts';
import { createOAuth } from './oauth2.ts';
import { createOidc } from './oidc.ts';
import { signInByOAuth, type OAuthServices } from './oauth-sign-in.ts';

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
