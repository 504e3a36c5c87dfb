import * as z from 'zod';
import { isHttpUrl, withoutTrailingSlash } from '../../../config/addresses.ts';
import type { OpenIdClient } from '../../../config/parts/oauth.ts';
import { requestObject, failSite } from '../oauth-http.ts';
import { createOidc, type Metadata } from '../oidc.ts';
import type { IdentityProvider } from '../identity-provider.ts';

const DISCOVERY = '/.well-known/openid-configuration';

const address = z.string().refine(isHttpUrl);

const Document = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  /** OpenID Connect Discovery 1.0: the default when the list is absent. */
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
});

/** Any OpenID Connect provider, discovered at the first sign-in. */
export function createOpenId(client: OpenIdClient): IdentityProvider {
  // Operators also paste the URL of the discovery document itself.
  const issuer = withoutTrailingSlash(withoutTrailingSlash(client.issuer).replace(DISCOVERY, ''));
  const { scopes, requiredRole } = client;
  let known: Promise<Metadata> | null = null;

  const metadata = () => (known ??= discover(issuer));
  const oidc = createOidc({ client, realm: issuer, scopes, requiredRole, metadata });
  return {
    realm: oidc.realm,
    start: (oauthState) => oidc.start(oauthState).catch(forget),
    identify: (arrival, oauthState) => oidc.identify(arrival, oauthState).catch(forget),
  };

  /** Drops cached metadata after an error, since it may be outdated. */
  function forget(error: unknown): never {
    known = null;
    throw error;
  }
}

async function discover(issuer: string): Promise<Metadata> {
  const { success, data, error } = Document.safeParse(await requestObject(`${issuer}${DISCOVERY}`));
  if (!success) return failSite(`the description of ${issuer} lacks ${error.issues[0]?.path.join('.')}`);
  if (withoutTrailingSlash(data.issuer) !== issuer) failSite(`${issuer} describes another issuer`);
  const methods = data.token_endpoint_auth_methods_supported;
  return {
    issuers: [data.issuer],
    authorizeURL: data.authorization_endpoint,
    tokenURL: data.token_endpoint,
    keysURL: data.jwks_uri,
    userInfoURL: data.userinfo_endpoint,
    auth: !methods.includes('client_secret_basic') && methods.includes('client_secret_post') ? 'post' : 'basic',
    namesItself: data.authorization_response_iss_parameter_supported,
  };
}
