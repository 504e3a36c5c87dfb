// Maps an identity of a site or a directory to a user: one already linked, one with the same e-mail address, or a new one.
import { users } from '@parley/db/tables/users';
import type { Db } from '@parley/db/client';
import { eq, sql } from 'drizzle-orm';
import type { SignInSite } from '@parley/schema/catalog/sign-in-sites';
import type { RegistrationRules } from '@parley/schema/accounts/registration';
import { refuse } from '../../platform/errors.ts';
import { removeFactors } from '../factors/factors.ts';
import { revokeApiKeys } from '../../api-keys/api-keys.ts';
import { removeAllKeys } from '../../keys/keys.ts';
import { audit } from '../../platform/audit.ts';
import { registerAccount } from '../registration/register-account.ts';
import { tellAdministrators } from '../registration/tell-administrators.ts';
import { confirmedFacts } from '../registration/confirm-address.ts';
import { assertDomainAllowed, isOpenMode } from '../registration/registration.ts';
import { revokeAllSessions } from '../session/sessions.ts';
import { assertMayEnter, findUserByEmail } from '../users.ts';
import type { UserRow } from '../users.ts';
import { addIdentity, findUserByIdentity, removeIdentities, type Identity } from './identities.ts';
import { profileEmail, profileName, profileUsername } from './profile.ts';
import type { AuthServices } from '../auth-services.ts';
import type { Profile } from '../../config/parts/sign-in-sites.ts';

export interface OAuthProfile {
  name: SignInSite | 'ldap';
  identity: Identity;
  person: Profile;
  /** The token of a link that lets them register. */
  invitation?: string | undefined;
}

export interface LinkedAccount {
  user: UserRow;
  /** Whether linking removed the account's password and keys, see `link`. */
  isReclaimed: boolean;
}

/** @throws Refusal `social_login`, `email_domain_not_allowed`, `banned`, `account_disabled`, `account_waiting`, `invalid_invitation` */
export async function linkAccount(deps: AuthServices, profile: OAuthProfile): Promise<LinkedAccount> {
  const { name, identity, person } = profile;
  const { allowedDomains } = deps.config.accounts;
  const known = await findUserByIdentity(deps.db, identity);
  if (known) {
    assertDomainAllowed(allowedDomains, known.email);
    assertMayEnter(known);
    return { user: await refreshed(deps.db, known, person), isReclaimed: false };
  }
  const email = profileEmail(person) ?? refuse({ type: 'social_login', why: 'no_email' });
  assertDomainAllowed(allowedDomains, email);
  const { user, event } = await deps.db.query.transaction((tx) => {
    const db = { ...deps.db, query: tx };
    return findOrCreateUser({ ...deps, db }, profile, email);
  });
  const isReclaimed = event === 'account_reclaimed';
  if (isReclaimed) deps.auth.invalidateUser(user.id);
  if (event) audit(deps, event, { userId: user.id, provider: name });
  if (event === 'registered' && user.state === 'waiting') tellAdministrators(deps);
  return { user, isReclaimed };
}

interface FoundUser {
  user: UserRow;
  /** Undefined when another request linked the identity first. */
  event?: 'registered' | 'identity_linked' | 'account_reclaimed';
}

/** Locks the e-mail address, so that two simultaneous sign-ins create only one user. */
async function findOrCreateUser(deps: AuthServices, profile: OAuthProfile, email: string): Promise<FoundUser> {
  const { db } = deps;
  const { identity } = profile;
  await db.query.execute(sql`select pg_advisory_xact_lock(hashtextextended('introduction ' || ${email}, 0))`);
  const known = await findUserByIdentity(db, identity);
  if (known) return { user: known };
  const owner = (await findUserByEmail(db, email)) ?? (await register(deps, profile, email));
  if ('created' in owner) return { user: owner.created, event: 'registered' };
  return link(deps, owner, profile);
}

async function register(deps: AuthServices, { name, identity, person, invitation }: OAuthProfile, email: string) {
  const rules = await deps.registration.rules();
  if (invitation === undefined && name !== 'ldap' && !isOpenToSites(deps, rules))
    refuse({ type: 'social_login', why: 'no_account' });
  const values = {
    email,
    name: profileName(person, email),
    username: profileUsername(person),
    provider: name,
    emailVerified: person.emailVerified,
  };
  // ALLOW_REGISTRATION=false closes the form alone.
  const applied: RegistrationRules = isOpenMode(rules.mode) ? rules : { ...rules, mode: 'open' };
  const created = await registerAccount(deps.db, applied, { values, invitation });
  // A concurrent registration by form has not verified the address.
  if (!created) return refuse({ type: 'social_login', why: 'email_taken' });
  await addIdentity(deps.db, identity, created.id);
  return { created };
}

/** Where the environment closes the form, it may leave the sites open. */
function isOpenToSites({ config }: AuthServices, { mode }: RegistrationRules): boolean {
  const { socialRegistration, registration } = config.accounts;
  return socialRegistration && (registration === 'closed' || isOpenMode(mode));
}

/**
 * Links an identity to the account with the same verified address. If the account's own address is unverified, an
 * attacker may have created it in advance (pre-hijacking), so its password, second factors, sessions, identities and keys
 * are removed.
 */
async function link(deps: AuthServices, owner: UserRow, { identity, person }: OAuthProfile): Promise<FoundUser> {
  const { db } = deps;
  if (!person.emailVerified) refuse({ type: 'social_login', why: 'email_taken' });
  // The site proves the address.
  if (owner.state !== 'unconfirmed') assertMayEnter(owner);
  if (!owner.emailVerified) {
    await removeIdentities(db, owner.id);
    await removeFactors(db.query, owner.id);
    await revokeAllSessions(db, owner.id);
    await removeAllKeys(db, owner.id);
    await db.query.transaction((tx) => revokeApiKeys(tx, owner.id));
  }
  await addIdentity(db, identity, owner.id);
  const user = await update(db, owner, {
    ...(await confirmedFacts(db.query, deps, owner)),
    passwordHash: owner.emailVerified ? owner.passwordHash : null,
  });
  return { user, event: owner.emailVerified ? 'identity_linked' : 'account_reclaimed' };
}

/** Updates the verified flag from the provider. */
async function refreshed(db: Db, user: UserRow, person: Profile): Promise<UserRow> {
  const emailVerified =
    user.emailVerified || (person.emailVerified && profileEmail(person) === user.email.toLowerCase());
  return emailVerified === user.emailVerified ? user : update(db, user, { emailVerified });
}

async function update({ query }: Db, user: UserRow, change: Partial<UserRow>): Promise<UserRow> {
  const [updated] = await query
    .update(users)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(users.id, user.id))
    .returning();
  return updated ?? user;
}
