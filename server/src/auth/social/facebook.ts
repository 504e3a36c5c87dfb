import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { SocialClient } from '../../config/social.ts';
import { addressesOf, realmOf } from './addresses.ts';
import { callForObject, fail } from './call.ts';
import { createOAuth } from './oauth.ts';
import type { Person, Provider } from './provider.ts';

const FIELDS = 'id,email,name,picture';

const User = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  email: z.string().nullish(),
  picture: z.object({ data: z.object({ url: z.string() }) }).nullish(),
});

export function createFacebook(client: SocialClient): Provider {
  const { authorize, token, me } = addressesOf('facebook', client.host);
  return createOAuth({
    client,
    realm: realmOf('facebook', client.host),
    authorizeURL: authorize,
    tokenURL: token,
    scopes: ['public_profile', 'email'],
    takesChallenge: false,
    auth: 'post',
    async whoIs(accessToken) {
      // An app may be set to answer only to who has its secret, too.
      const appsecret_proof = createHmac('sha256', client.clientSecret).update(accessToken).digest('hex');
      const query = new URLSearchParams({ fields: FIELDS, appsecret_proof });
      const init = { headers: { authorization: `Bearer ${accessToken}` } };
      return personOfFacebook(await callForObject(`${me}?${query}`, init)) ?? fail('Facebook describes nobody');
    },
  });
}

/** Nothing there says that an address was proven. */
export function personOfFacebook(about: unknown): Person | undefined {
  const user = User.safeParse(about).data;
  if (!user) return undefined;
  return {
    subject: user.id,
    email: user.email ?? null,
    emailVerified: false,
    name: user.name ?? null,
    username: null,
    picture: user.picture?.data.url ?? null,
  };
}
