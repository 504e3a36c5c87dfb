import * as z from 'zod';
import { isHttpUrl, withoutTrailingSlash } from '../../config/addresses.ts';
import type { OpenIdClient } from '../../config/social.ts';
import { callForObject, fail } from './call.ts';
import { createOidc, type Metadata } from './oidc.ts';
import type { Provider } from './provider.ts';

const DISCOVERY = '/.well-known/openid-configuration';

const address = z.string().refine(isHttpUrl);

const Document = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  /** Discovery 1.0: without the list it is the header. */
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
});

/** A provider of the operator's choice, which is asked for its addresses at the first sign-in. */
export function createOpenId(client: OpenIdClient): Provider {
  // Operators paste the address of the document itself, too.
  const issuer = withoutTrailingSlash(withoutTrailingSlash(client.issuer).replace(DISCOVERY, ''));
  const { scopes, requiredRole } = client;
  let known: Promise<Metadata> | null = null;

  const metadata = () => (known ??= discover(issuer));
  const oidc = createOidc({ client, realm: issuer, scopes, requiredRole, metadata });
  return {
    realm: oidc.realm,
    start: (journey) => oidc.start(journey).catch(forget),
    identify: (arrival, journey) => oidc.identify(arrival, journey).catch(forget),
  };

  /** What was told before may be what is wrong. */
  function forget(error: unknown): never {
    known = null;
    throw error;
  }
}

async function discover(issuer: string): Promise<Metadata> {
  const { success, data, error } = Document.safeParse(await callForObject(`${issuer}${DISCOVERY}`));
  if (!success) return fail(`the description of ${issuer} lacks ${error.issues[0]?.path.join('.')}`);
  if (withoutTrailingSlash(data.issuer) !== issuer) fail(`${issuer} describes another issuer`);
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
