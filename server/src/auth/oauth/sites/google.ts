import { siteUrl } from '../../../config/env/env-readers.ts';
import { defineSite } from '../define-site.ts';

export const google = defineSite({
  name: 'google',
  env: { GOOGLE_OAUTH_URL: siteUrl },
  protocol: ({ at, realm }) => ({
    realm,
    scopes: ['openid', 'profile', 'email'],
    metadata: async () => ({
      // Google uses both forms.
      issuers: realm === 'google' ? ['https://accounts.google.com', 'accounts.google.com'] : [realm],
      authorizeURL: at('https://accounts.google.com/o/oauth2/v2/auth'),
      tokenURL: at('https://oauth2.googleapis.com/token'),
      keysURL: at('https://www.googleapis.com/oauth2/v3/certs'),
      userInfoURL: at('https://openidconnect.googleapis.com/v1/userinfo'),
      auth: 'basic',
      namesItself: false,
    }),
  }),
});
