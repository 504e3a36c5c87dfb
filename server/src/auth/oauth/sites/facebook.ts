import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { siteUrl } from '../../../config/env/env-readers.ts';
import { defineSite } from '../define-site.ts';
import { requestObject, failSite } from '../oauth-http.ts';
import type { Profile } from '../../../config/parts/sign-in-sites.ts';

const FIELDS = 'id,email,name,picture';

const User = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  email: z.string().nullish(),
  picture: z.object({ data: z.object({ url: z.string() }) }).nullish(),
});

export const facebook = defineSite({
  name: 'facebook',
  env: { FACEBOOK_OAUTH_URL: siteUrl },
  protocol: ({ client, at, realm }) => ({
    realm,
    authorizeURL: at('https://www.facebook.com/v23.0/dialog/oauth'),
    tokenURL: at('https://graph.facebook.com/v23.0/oauth/access_token'),
    scopes: ['public_profile', 'email'],
    takesChallenge: false,
    auth: 'post',
    async whoIs(accessToken) {
      // An app may require proof of its secret with each call.
      const appsecret_proof = createHmac('sha256', client.clientSecret).update(accessToken).digest('hex');
      const query = new URLSearchParams({ fields: FIELDS, appsecret_proof });
      const init = { headers: { authorization: `Bearer ${accessToken}` } };
      const me = at('https://graph.facebook.com/v23.0/me');
      return personOfFacebook(await requestObject(`${me}?${query}`, init)) ?? failSite('Facebook describes nobody');
    },
  }),
});

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
    imageURL: user.picture?.data.url ?? null,
  };
}
