import * as z from 'zod';
import { siteUrl } from '../../../config/env/env-readers.ts';
import { defineSite } from '../define-site.ts';
import { requestObject, failSite } from '../oauth-http.ts';
import type { Profile } from '../../../config/parts/sign-in-sites.ts';

const User = z.object({
  id: z.string().min(1),
  username: z.string(),
  global_name: z.string().nullish(),
  email: z.string().nullish(),
  verified: z.boolean().nullish(),
  avatar: z.string().nullish(),
});

export const discord = defineSite({
  name: 'discord',
  env: { DISCORD_OAUTH_URL: siteUrl },
  protocol: ({ at, realm }) => ({
    realm,
    authorizeURL: at('https://discord.com/oauth2/authorize'),
    tokenURL: at('https://discord.com/api/oauth2/token'),
    scopes: ['identify', 'email'],
    takesChallenge: true,
    auth: 'basic',
    async whoIs(accessToken) {
      const user = at('https://discord.com/api/users/@me');
      const about = await requestObject(user, { headers: { authorization: `Bearer ${accessToken}` } });
      return personOfDiscord(about) ?? failSite('Discord describes nobody');
    },
  }),
});

export function personOfDiscord(about: unknown): Profile | undefined {
  const user = User.safeParse(about).data;
  if (!user) return undefined;
  return {
    subject: user.id,
    email: user.email ?? null,
    emailVerified: user.verified ?? false,
    name: user.global_name ?? user.username,
    username: user.username,
    imageURL: user.avatar ? `https://cdn.discordapp.com/avatars/${user.id}/${user.avatar}.png` : null,
  };
}
