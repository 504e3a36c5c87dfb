import type { ReadEnv, EnvRows } from '../../../config/env/env.ts';
import { type SiteDefinition, defineSite } from '../define-site.ts';
import { discord } from './discord.ts';
import { facebook } from './facebook.ts';
import { github } from './github.ts';
import { openid } from './openid.ts';
import type { ConfiguredSite } from '../../../config/parts/sign-in-sites.ts';
import { siteUrl } from '../../../config/env/env-readers.ts';

const google = defineSite({
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

/** All sites to sign in by. */
export const SITES: readonly SiteDefinition[] = [google, facebook, openid, github, discord];

/** Those that are configured. @throws ConfigError */
export function configureSites(env: ReadEnv<EnvRows>, domainServer: string): ConfiguredSite[] {
  return SITES.flatMap((site) => site.configure(env, domainServer) ?? []);
}
