import * as z from 'zod';
import type { OAuthClient } from '../../../config/parts/oauth.ts';
import { siteUrls, realmOf } from '../site-urls.ts';
import { requestObject, failSite } from '../oauth-http.ts';
import { createOAuth } from '../oauth2.ts';
import type { Profile, IdentityProvider } from '../identity-provider.ts';

const User = z.object({
  id: z.string().min(1),
  username: z.string(),
  global_name: z.string().nullish(),
  email: z.string().nullish(),
  verified: z.boolean().nullish(),
  avatar: z.string().nullish(),
});

export function createDiscord(client: OAuthClient): IdentityProvider {
  const { authorize, token, user } = siteUrls('discord', client.host);
  return createOAuth({
    client,
    realm: realmOf('discord', client.host),
    authorizeURL: authorize,
    tokenURL: token,
    scopes: ['identify', 'email'],
    takesChallenge: true,
    auth: 'basic',
    async whoIs(accessToken) {
      const about = await requestObject(user, { headers: { authorization: `Bearer ${accessToken}` } });
      return personOfDiscord(about) ?? failSite('Discord describes nobody');
    },
  });
}

export function personOfDiscord(about: unknown): Profile | undefined {
  const user = User.safeParse(about).data;
  if (!user) return undefined;
  return {
    subject: user.id,
    email: user.email ?? null,
    emailVerified: user.verified ?? false,
    name: user.global_name ?? user.username,
    username: user.username,
    picture: user.avatar ? `https://cdn.discordapp.com/avatars/${user.id}/${user.avatar}.png` : null,
  };
}
