import * as z from 'zod';
import { siteUrl } from '../../../config/env/env-readers.ts';
import { defineSite } from '../define-site.ts';
import { requestObject, failSite } from '../oauth-http.ts';
import type { Profile } from '../../../config/parts/sign-in-sites.ts';

const User = z.object({
  id: z.number().int(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
});
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

export const github = defineSite({
  name: 'github',
  env: { GITHUB_OAUTH_URL: siteUrl },
  protocol: ({ at, realm }) => ({
    realm,
    authorizeURL: at('https://github.com/login/oauth/authorize'),
    tokenURL: at('https://github.com/login/oauth/access_token'),
    scopes: ['user:email', 'read:user'],
    takesChallenge: true,
    auth: 'basic',
    async whoIs(accessToken) {
      const init = { headers: { authorization: `Bearer ${accessToken}`, accept: 'application/vnd.github+json' } };
      const [about, addresses] = await Promise.all([
        requestObject(at('https://api.github.com/user'), init),
        requestObject(at('https://api.github.com/user/emails'), init),
      ]);
      return personOfGitHub(about, addresses) ?? failSite('GitHub describes nobody');
    },
  }),
});

/** Ignores the public address of the profile. The primary address has a verified flag. */
export function personOfGitHub(about: unknown, addresses: unknown): Profile | undefined {
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
    imageURL: user.avatar_url ?? null,
  };
}
