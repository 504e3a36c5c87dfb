import * as z from 'zod';
import { isHttpUrl, withoutTrailingSlash } from '../../../config/addresses.ts';
import { configError } from '../../../config/config-error.ts';
import { oneWord, siteUrl, text } from '../../../config/env/env-readers.ts';
import type { RequiredRole } from '../claims.ts';
import { defineSite } from '../define-site.ts';
import { requestObject, failSite } from '../oauth-http.ts';
import type { Metadata } from '../oidc.ts';

const DISCOVERY = '/.well-known/openid-configuration';

const tokenKind = oneWord('access', 'id');

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
export const openid = defineSite({
  name: 'openid',
  env: {
    OPENID_ISSUER: siteUrl,
    OPENID_SCOPE: text,
    OPENID_REQUIRED_ROLE: text,
    OPENID_REQUIRED_ROLE_TOKEN_KIND: tokenKind,
    OPENID_REQUIRED_ROLE_PARAMETER_PATH: text,
  },
  protocol({ env }) {
    const scopes = env.OPENID_SCOPE?.split(/[\s,]+/) ?? ['openid', 'profile', 'email'];
    if (!scopes.includes('openid')) throw configError('OPENID_SCOPE must hold the word openid.');
    const { OPENID_REQUIRED_ROLE: role, OPENID_REQUIRED_ROLE_TOKEN_KIND: token } = env;
    const requiredRole = requiredRoleOf(role, token, env.OPENID_REQUIRED_ROLE_PARAMETER_PATH);
    if (!env.OPENID_ISSUER) return null;
    // Operators also paste the URL of the discovery document itself.
    const realm = withoutTrailingSlash(withoutTrailingSlash(env.OPENID_ISSUER).replace(DISCOVERY, ''));
    return { realm, scopes, requiredRole, metadata: () => discover(realm) };
  },
});

function requiredRoleOf(
  role: string | undefined,
  token: RequiredRole['token'] | undefined,
  path: string | undefined,
): RequiredRole | undefined {
  if (role === undefined) return undefined;
  if (token && path) return { role, token, path };
  throw configError(
    'OPENID_REQUIRED_ROLE needs OPENID_REQUIRED_ROLE_TOKEN_KIND (access or id) and OPENID_REQUIRED_ROLE_PARAMETER_PATH, the path of the claim.',
  );
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
