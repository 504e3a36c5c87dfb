// Which of our users somebody is: known already, the owner of an address that an account has, or new.
import { users } from '@parley/db/tables/users';
import type { Db } from '@parley/db/client';
import { eq, sql } from 'drizzle-orm';
import type { SocialProvider } from '../../config/social.ts';
import type { Deps } from '../../deps.ts';
import { refuse } from '../../errors.ts';
import { removeAllKeys } from '../../keys/keys.ts';
import { audit } from '../audit.ts';
import { assertDomainAllowed } from '../domains.ts';
import { endAllSessions } from '../sessions.ts';
import { assertNotBanned, createUser, findUserByEmail } from '../users.ts';
import type { UserRow } from '../users.ts';
import { addIdentity, findUserByIdentity, removeIdentities, type Identity } from './identities.ts';
import { avatarOf, emailOf, nameOf, usernameOf } from './profile.ts';
import type { Person } from './provider.ts';

export interface Introduction {
  name: SocialProvider;
  identity: Identity;
  person: Person;
}

export interface Admitted {
  user: UserRow;
  /** Whether the account lost its password and keys by it: see `link`. */
  isReclaimed: boolean;
}

/** @throws Refusal `social_login`, `email_domain_not_allowed`, `banned` */
export async function admit(deps: Deps, { name, identity, person }: Introduction): Promise<Admitted> {
  const { allowedDomains } = deps.config.accounts;
  const known = await findUserByIdentity(deps.db, identity);
  if (known) {
    assertDomainAllowed(allowedDomains, known.email);
    assertNotBanned(known);
    return { user: await refreshed(deps.db, known, person), isReclaimed: false };
  }
  const email = emailOf(person) ?? refuse({ type: 'social_login', why: 'no_email' });
  assertDomainAllowed(allowedDomains, email);
  const { user, event } = await deps.db.query.transaction((tx) => {
    const db = { ...deps.db, query: tx };
    return introduce({ ...deps, db }, { name, identity, person }, email);
  });
  const isReclaimed = event === 'account_reclaimed';
  if (isReclaimed) deps.auth.forgetUser(user.id);
  if (event) audit(deps, event, { userId: user.id, provider: name });
  return { user, isReclaimed };
}

interface Introduced {
  user: UserRow;
  /** Undefined when somebody else has done it meanwhile. */
  event?: 'registered' | 'identity_linked' | 'account_reclaimed';
}

/** One at a time for an address, so that a person who comes twice at once becomes one user. */
async function introduce(deps: Deps, introduction: Introduction, email: string): Promise<Introduced> {
  const { db } = deps;
  const { identity } = introduction;
  await db.query.execute(sql`select pg_advisory_xact_lock(hashtextextended('introduction ' || ${email}, 0))`);
  const known = await findUserByIdentity(db, identity);
  if (known) return { user: known };
  const owner = (await findUserByEmail(db, email)) ?? (await register(deps, introduction, email));
  if ('created' in owner) return { user: owner.created, event: 'registered' };
  return link(db, owner, introduction);
}

async function register(deps: Deps, { name, identity, person }: Introduction, email: string) {
  if (!deps.config.accounts.socialRegistration) refuse({ type: 'social_login', why: 'no_account' });
  const created = await createUser(deps.db, {
    email,
    name: nameOf(person, email),
    username: usernameOf(person),
    provider: name,
    emailVerified: person.emailVerified,
    avatar: avatarOf(person, null),
  });
  // Whoever registered by the form meanwhile has not proven the address.
  if (!created) return refuse({ type: 'social_login', why: 'email_taken' });
  await addIdentity(deps.db, identity, created.id);
  return { created };
}

/**
 * An account goes to who proves that its address is theirs. Where nobody had, it may be a stranger's, made beforehand to
 * be shared with them: then all that opens it goes, and the keys and addresses by which it would ask.
 */
async function link(db: Db, owner: UserRow, { identity, person }: Introduction): Promise<Introduced> {
  if (!person.emailVerified) refuse({ type: 'social_login', why: 'email_taken' });
  assertNotBanned(owner);
  if (!owner.emailVerified) {
    await removeIdentities(db, owner.id);
    await endAllSessions(db, owner.id);
    await removeAllKeys(db, owner.id);
  }
  await addIdentity(db, identity, owner.id);
  const user = await update(db, owner, {
    avatar: avatarOf(person, owner.avatar),
    emailVerified: true,
    passwordHash: owner.emailVerified ? owner.passwordHash : null,
  });
  return { user, event: owner.emailVerified ? 'identity_linked' : 'account_reclaimed' };
}

/** The picture may be another one by now, and the address proven. */
async function refreshed(db: Db, user: UserRow, person: Person): Promise<UserRow> {
  const avatar = avatarOf(person, user.avatar);
  const emailVerified = user.emailVerified || (person.emailVerified && emailOf(person) === user.email.toLowerCase());
  if (avatar === user.avatar && emailVerified === user.emailVerified) return user;
  return update(db, user, { avatar, emailVerified });
}

async function update({ query }: Db, user: UserRow, change: Partial<UserRow>): Promise<UserRow> {
  const [updated] = await query
    .update(users)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(users.id, user.id))
    .returning();
  return updated ?? user;
}
