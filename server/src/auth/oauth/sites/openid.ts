import * as z from 'zod';
import { isHttpUrl, withoutTrailingSlash } from '../../../config/addresses.ts';
import { configError } from '../../../config/config-error.ts';
import { list, oneWord, siteUrl, text } from '../../../config/env/env-readers.ts';
import { defineSite } from '../define-site.ts';
import { requestObject, failSite } from '../oauth-http.ts';
import type { ClaimedRole, Metadata } from '../../../config/parts/sign-in-sites.ts';

const DISCOVERY = '/.well-known/openid-configuration';

const tokenKind = oneWord('access', 'id', 'userinfo');

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
    OPENID_REQUIRED_ROLE: list,
    OPENID_REQUIRED_ROLE_TOKEN_KIND: tokenKind,
    OPENID_REQUIRED_ROLE_PARAMETER_PATH: text,
    OPENID_ADMIN_ROLE: list,
    OPENID_ADMIN_ROLE_TOKEN_KIND: tokenKind,
    OPENID_ADMIN_ROLE_PARAMETER_PATH: text,
    OPENID_GROUPS_CLAIM: text,
    OPENID_GROUPS_TOKEN_KIND: tokenKind,
    OPENID_GROUPS: list,
  },
  protocol({ env }) {
    const scopes = env.OPENID_SCOPE?.split(/[\s,]+/) ?? ['openid', 'profile', 'email'];
    if (!scopes.includes('openid')) throw configError('OPENID_SCOPE must hold the word openid.');
    const requiredRole = roleOf('OPENID_REQUIRED_ROLE', {
      roles: env.OPENID_REQUIRED_ROLE,
      token: env.OPENID_REQUIRED_ROLE_TOKEN_KIND,
      path: env.OPENID_REQUIRED_ROLE_PARAMETER_PATH,
    });
    const adminRole = roleOf('OPENID_ADMIN_ROLE', {
      roles: env.OPENID_ADMIN_ROLE,
      token: env.OPENID_ADMIN_ROLE_TOKEN_KIND,
      path: env.OPENID_ADMIN_ROLE_PARAMETER_PATH,
    });
    const { OPENID_GROUPS_CLAIM: path, OPENID_GROUPS: only, OPENID_GROUPS_TOKEN_KIND: token = 'id' } = env;
    if (only && !path) throw configError('OPENID_GROUPS needs OPENID_GROUPS_CLAIM, the path of the claim.');
    const groups = path === undefined ? undefined : { path, token, only };
    if (!env.OPENID_ISSUER) return null;
    // Operators also paste the URL of the discovery document itself.
    const realm = withoutTrailingSlash(withoutTrailingSlash(env.OPENID_ISSUER).replace(DISCOVERY, ''));
    return { realm, scopes, requiredRole, adminRole, groups, metadata: () => discover(realm) };
  },
});

type Given<Whole> = { [Name in keyof Whole]: Whole[Name] | undefined };

function roleOf(name: string, { roles, token, path }: Given<ClaimedRole>): ClaimedRole | undefined {
  if (roles === undefined) return undefined;
  if (token && path) return { roles, token, path };
  throw configError(
    `${name} needs ${name}_TOKEN_KIND (access, id or userinfo) and ${name}_PARAMETER_PATH, the path of the claim.`,
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
