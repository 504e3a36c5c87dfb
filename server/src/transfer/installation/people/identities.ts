// By which sites people of an installation signed in. Their ids there are identities here, so that the same button leads to
// the same account, whether or not the site confirms the address.
import type { Query } from '@parley/db/client';
import { identities } from '@parley/db/tables/users';
import { SIGN_IN_SITE_NAMES } from '@parley/schema/catalog/sign-in-sites';
import { cleanText } from '@parley/schema/clean-text';
import { typedEntries } from '@parley/schema/entries';
import { withoutTrailingSlash } from '../../../config/addresses.ts';
import type { Config } from '../../../config/config.ts';
import { DIRECTORY } from '../../../auth/ldap/directory-password.ts';
import * as z from 'zod';

const id = z
  .union([z.string(), z.number().transform(String)])
  .pipe(z.string().trim().min(1).max(512).overwrite(cleanText))
  .nullish()
  .catch(null);

/** The fields of a user that name an account elsewhere, as the documents have them. */
export const siteIds = {
  googleId: id,
  facebookId: id,
  openidId: id,
  openidIssuer: id,
  samlId: id,
  ldapId: id,
  githubId: id,
  discordId: id,
  appleId: id,
};

export type SiteIds = Partial<Record<keyof typeof siteIds, string | null | undefined>>;

/** What Parley calls each: `saml` and `apple` are kept, although it has no such button. */
const SITES = {
  googleId: 'google',
  facebookId: 'facebook',
  openidId: 'openid',
  samlId: 'saml',
  ldapId: DIRECTORY,
  githubId: 'github',
  discordId: 'discord',
  appleId: 'apple',
} as const;

export interface SiteIdentity {
  site: (typeof SITES)[keyof typeof SITES];
  /** Null for OpenID where neither the export nor the configuration names its issuer. */
  realm: string | null;
  subject: string;
}

/** The namespaces of the ids at the sites that are configured here; other sites have their own names. */
export type Realms = ReadonlyMap<string, string>;

export function readRealms({ accounts, env }: Pick<Config, 'accounts' | 'env'>): Realms {
  const realms = new Map<string, string>(accounts.sites.map(({ name, protocol }) => [name, protocol.realm]));
  // The address alone names the issuer, also before the client is set up.
  const issuer = env.OPENID_ISSUER;
  if (!realms.has('openid') && issuer)
    realms.set('openid', withoutTrailingSlash(issuer.replace(/\/\.well-known\/openid-configuration\/?$/, '')));
  return realms;
}

export function readIdentities(person: SiteIds, realms: Realms): SiteIdentity[] {
  return typedEntries(SITES).flatMap(([field, site]): SiteIdentity[] => {
    const subject = person[field];
    if (!subject) return [];
    return [{ site, subject, realm: realmOf(site, person, realms) }];
  });
}

function realmOf(site: SiteIdentity['site'], { openidIssuer }: SiteIds, realms: Realms): string | null {
  if (site !== 'openid') return realms.get(site) ?? site;
  return realms.get(site) ?? (openidIssuer ? withoutTrailingSlash(openidIssuer) : null);
}

/** The provider of the account: how its person signs in. */
export function chooseProvider(provider: string | undefined, own: readonly SiteIdentity[]): string {
  if (own.some(({ site }) => site === DIRECTORY)) return DIRECTORY;
  const isSite = SIGN_IN_SITE_NAMES.some((name) => name === provider);
  return isSite && provider !== undefined ? provider : 'local';
}

/** An identity that belongs to another account here stays with it. */
export async function linkIdentities(query: Query, userId: string, own: readonly SiteIdentity[]): Promise<void> {
  const rows = own.flatMap(({ realm, subject }) => (realm === null ? [] : [{ provider: realm, subject, userId }]));
  if (rows.length > 0) await query.insert(identities).values(rows).onConflictDoNothing();
}

/** What an operator must do for those who cannot sign in by their site yet. `identities` are those of all people. */
export function siteNotes(all: readonly (readonly SiteIdentity[])[], realms: Realms): string[] {
  const count = (site: string) => all.filter((own) => own.some((one) => one.site === site)).length;
  const notes: string[] = [];
  const withoutIssuer = all.filter((own) => own.some(({ realm }) => realm === null)).length;
  if (withoutIssuer > 0)
    notes.push(
      `OpenID: ${people(withoutIssuer)} signed in by it. Set OPENID_ISSUER as the other installation has it, and run this again, so that they can sign in here.`,
    );
  const unset = SIGN_IN_SITE_NAMES.filter((name) => name !== 'openid' && !realms.has(name) && count(name) > 0);
  for (const name of unset)
    notes.push(
      `${name}: ${people(count(name))} signed in by it. Set ${name.toUpperCase()}_CLIENT_ID and ${name.toUpperCase()}_CLIENT_SECRET as the other installation has them, so that they can sign in here.`,
    );
  for (const [site, name] of [
    ['saml', 'SAML'],
    ['apple', 'Apple'],
  ] as const)
    if (count(site) > 0)
      notes.push(
        `${name}: ${people(count(site))} signed in by it, which Parley cannot. Make each a link for a password under Administration > People, or let them sign in by a site of the same confirmed address.`,
      );
  return notes;
}

function people(many: number): string {
  return many === 1 ? '1 person' : `${many} people`;
}
