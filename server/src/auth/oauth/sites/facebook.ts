import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { OAuthClient } from '../../../config/parts/oauth.ts';
import { siteUrls, realmOf } from '../site-urls.ts';
import { requestObject, failSite } from '../oauth-http.ts';
import { createOAuth } from '../oauth2.ts';
import type { Profile, IdentityProvider } from '../identity-provider.ts';

const FIELDS = 'id,email,name,picture';

const User = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  email: z.string().nullish(),
  picture: z.object({ data: z.object({ url: z.string() }) }).nullish(),
});

export function createFacebook(client: OAuthClient): IdentityProvider {
  const { authorize, token, me } = siteUrls('facebook', client.host);
  return createOAuth({
    client,
    realm: realmOf('facebook', client.host),
    authorizeURL: authorize,
    tokenURL: token,
    scopes: ['public_profile', 'email'],
    takesChallenge: false,
    auth: 'post',
    async whoIs(accessToken) {
      // An app may require proof of its secret with each call.
      const appsecret_proof = createHmac('sha256', client.clientSecret).update(accessToken).digest('hex');
      const query = new URLSearchParams({ fields: FIELDS, appsecret_proof });
      const init = { headers: { authorization: `Bearer ${accessToken}` } };
      return personOfFacebook(await requestObject(`${me}?${query}`, init)) ?? failSite('Facebook describes nobody');
    },
  });
}

/** Facebook does not report whether the address is verified. */
export function personOfFacebook(about: unknown): Profile | undefined {
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
