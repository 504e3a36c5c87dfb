import * as z from 'zod';
import type { SocialClient } from '../../config/social.ts';
import { addressesOf, realmOf } from './addresses.ts';
import { callForObject, fail } from './call.ts';
import { createOAuth } from './oauth.ts';
import type { Person, Provider } from './provider.ts';

const User = z.object({
  id: z.number().int(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
});
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

export function createGitHub(client: SocialClient): Provider {
  const { authorize, token, user, emails } = addressesOf('github', client.host);
  return createOAuth({
    client,
    realm: realmOf('github', client.host),
    authorizeURL: authorize,
    tokenURL: token,
    scopes: ['user:email', 'read:user'],
    takesChallenge: true,
    auth: 'basic',
    async whoIs(accessToken) {
      const init = { headers: { authorization: `Bearer ${accessToken}`, accept: 'application/vnd.github+json' } };
      const [about, addresses] = await Promise.all([callForObject(user, init), callForObject(emails, init)]);
      return personOfGitHub(about, addresses) ?? fail('GitHub describes nobody');
    },
  });
}

/** The public address of the profile says nothing: anybody's can be written there. The primary one is proven or not. */
export function personOfGitHub(about: unknown, addresses: unknown): Person | undefined {
  const user = User.safeParse(about).data;
  const emails = Emails.safeParse(addresses).data;
  if (!user || !emails) return undefined;
  const primary = emails.find((address) => address.primary);
  return {
    subject: String(user.id),
    email: primary?.email ?? null,
    emailVerified: primary?.verified ?? false,
    name: user.name ?? user.login,
    username: user.login,
    picture: user.avatar_url ?? null,
  };
}
