import type { SocialClient } from '../../config/social.ts';
import { addressesOf, realmOf } from './addresses.ts';
import { createOidc, type Metadata } from './oidc.ts';
import type { Provider } from './provider.ts';

const SCOPES = ['openid', 'profile', 'email'];
/** Google names itself in both ways. */
const ISSUERS: Metadata['issuers'] = ['https://accounts.google.com', 'accounts.google.com'];

export function createGoogle(client: SocialClient): Provider {
  const { host } = client;
  const { authorize, token, keys, userInfo } = addressesOf('google', host);
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
