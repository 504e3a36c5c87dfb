import type { OAuthClient } from '../../../config/parts/oauth.ts';
import { siteUrls, realmOf } from '../site-urls.ts';
import { createOidc, type Metadata } from '../oidc.ts';
import type { IdentityProvider } from '../identity-provider.ts';

const SCOPES = ['openid', 'profile', 'email'];
/** Google uses both forms. */
const ISSUERS: Metadata['issuers'] = ['https://accounts.google.com', 'accounts.google.com'];

export function createGoogle(client: OAuthClient): IdentityProvider {
  const { host } = client;
  const { authorize, token, keys, userInfo } = siteUrls('google', host);
  const metadata: Metadata = {
    issuers: host === undefined ? ISSUERS : [host],
    authorizeURL: authorize,
    tokenURL: token,
    keysURL: keys,
    userInfoURL: userInfo,
    auth: 'basic',
    namesItself: false,
  };
  return createOidc({ client, realm: realmOf('google', host), scopes: SCOPES, metadata: async () => metadata });
}
