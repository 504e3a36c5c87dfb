import * as z from 'zod';
import type { SocialClient } from '../../config/social.ts';
import { addressesOf, realmOf } from './addresses.ts';
import { callForObject, fail } from './call.ts';
import { createOAuth } from './oauth.ts';
import type { Person, Provider } from './provider.ts';

const User = z.object({
  id: z.string().min(1),
  username: z.string(),
  global_name: z.string().nullish(),
  email: z.string().nullish(),
  verified: z.boolean().nullish(),
  avatar: z.string().nullish(),
});

export function createDiscord(client: SocialClient): Provider {
  const { authorize, token, user } = addressesOf('discord', client.host);
  return createOAuth({
    client,
    realm: realmOf('discord', client.host),
    authorizeURL: authorize,
    tokenURL: token,
    scopes: ['identify', 'email'],
    takesChallenge: true,
    auth: 'basic',
    async whoIs(accessToken) {
      const about = await callForObject(user, { headers: { authorization: `Bearer ${accessToken}` } });
      return personOfDiscord(about) ?? fail('Discord describes nobody');
    },
  });
}

export function personOfDiscord(about: unknown): Person | undefined {
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
