// What administrators change about an account. Each change and its event are one transaction.
import { notifyAtCommit, type Db, type Tx } from '@parley/db/client';
import { identities, users } from '@parley/db/tables/users';
import { DELETION_DAYS } from '@parley/schema/accounts/deletion-days';
import type { AccountState, Role } from '@parley/schema/accounts/people';
import { eq, sql } from 'drizzle-orm';
import { endCapabilities, type RightEvent } from '../../auth/capabilities.ts';
import { assertAdministratorLeft, lockAdministrators } from '../../auth/administrators.ts';
import { secondFactorEmail } from '../../auth/email-templates.ts';
import { removeFactors } from '../../auth/factors/factors.ts';
import { DIRECTORY } from '../../auth/ldap/directory-password.ts';
import { createResetLink, RESET_MINUTES } from '../../auth/reset/reset-links.ts';
import { revokeSessions } from '../../auth/session/sessions.ts';
import { stopUserRuns } from '../../auth/session/stop-runs.ts';
import { assertUser, findUser, type UserRow } from '../../auth/users.ts';
import { addCredits } from '../../billing/balances.ts';
import { MEMBER } from '../../catalog/access/model-access.ts';
import type { Config } from '../../config/config.ts';
import { refuse } from '../../platform/errors.ts';
import { isoTime } from '../../platform/iso-time.ts';
import type { Mail } from '../../platform/mail.ts';
import { recordEvent, type Actor, type AuditEvent } from '../audit-events.ts';

/** Who changes people, and where. `actor` is null for a command of the operator. */
export interface Office {
  db: Db;
  config: Pick<Config, 'server' | 'startup'>;
  actor: Actor | null;
}

/** What it is to let somebody in, by why they were out. */
const ENABLED: { readonly [State in AccountState]?: string } = {
  waiting: 'person.approved',
  unconfirmed: 'person.confirmed',
};

type Details = NonNullable<AuditEvent['details']>;

/** @throws Refusal `own_account`, `last_administrator`, `not_found` */
export async function setRole(office: Office, userId: string, role: Role): Promise<void> {
  await changePerson(office, userId, async (tx, user) => {
    if (user.role === role) return null;
    await update(tx, userId, { role });
    if (role === 'USER') await endCapabilities(tx, userId, 'demoted');
    notifyAtCommit(tx, `${MEMBER}${userId}`);
    return { event: 'person.role_changed', details: { role } };
  });
}

/**
 * Gives the account to whom the directory knows by this id, whose password is the directory's then.
 * @throws Refusal `own_account`, `not_found`, `conflict` where the id has an account
 */
export async function joinDirectory(office: Office, userId: string, subject: string): Promise<void> {
  await changePerson(office, userId, async (tx) => {
    const identity = { provider: DIRECTORY, subject, userId };
    const [joined] = await tx.insert(identities).values(identity).onConflictDoNothing().returning();
    if (!joined) refuse({ type: 'conflict', text: 'Another account is of this person of the directory.' });
    await shutOut(tx, userId, { provider: DIRECTORY, passwordHash: null });
    return { event: 'person.joined_directory', details: { id: subject } };
  });
}

/** Ends their sessions in all processes at once, and stops their answers. @throws as `setRole` */
export async function disable(office: Office, userId: string): Promise<void> {
  await changePerson(office, userId, async (tx, user) => {
    await forgetLeaving(tx, userId);
    if (user.state === 'disabled') return null;
    await shutOut(tx, userId, { state: 'disabled' }, 'disabled');
    return { event: 'person.disabled' };
  });
}

/** Lets them sign in, and takes a deletion back that somebody asked for. @throws Refusal `own_account`, `not_found` */
export async function enable(office: Office, userId: string): Promise<void> {
  await changePerson(office, userId, async (tx, user) => {
    if (user.state === 'active' && user.deletionDueAt === null) return null;
    await update(tx, userId, { state: 'active', deletionDueAt: null });
    return { event: ENABLED[user.state] ?? 'person.enabled' };
  });
}

/** Anyone who waits may come in; nothing changes for others. @throws Refusal `own_account`, `not_found` */
export async function approve(office: Office, userId: string): Promise<void> {
  await changePerson(office, userId, async (tx, user) => {
    if (user.state !== 'waiting') return null;
    await update(tx, userId, { state: 'active' });
    return { event: 'person.approved' };
  });
}

/** Signs them out everywhere, and stops their answers. @throws Refusal `own_account`, `not_found` */
export async function endSessions(office: Office, userId: string): Promise<void> {
  await changePerson(office, userId, async (tx) => {
    await shutOut(tx, userId, {});
    return { event: 'person.signed_out' };
  });
}

/**
 * For anyone who lost the authenticator app and the recovery codes: the password alone signs in again. Mailed to them
 * where there is mail. @throws Refusal `own_account`, `not_found`
 */
export async function resetFactors(office: Office & { mail: Mail | null }, userId: string): Promise<void> {
  let wasOn = false;
  const user = await changePerson(office, userId, async (tx) => {
    wasOn = await removeFactors(tx, userId);
    return wasOn ? { event: 'person.factors_removed' } : null;
  });
  if (wasOn) office.mail?.send(async () => secondFactorEmail(office.config.startup.appTitle, user, 'off'));
}

/**
 * Deletes the account in some days, as its owner could. Until then `enable` takes it back, and so does its owner by
 * signing in where `canReturn`.
 * @throws as `setRole`
 * @returns when it is due, as an ISO date
 */
export async function removePerson(office: Office, userId: string, canReturn: boolean): Promise<string> {
  const deletionDueAt = sql<string>`now() + make_interval(days => ${DELETION_DAYS})`;
  const { deletionDueAt: dueAt } = await changePerson(office, userId, async (tx) => {
    await shutOut(tx, userId, { deletionDueAt, ...(!canReturn && { state: 'disabled' }) }, 'removed');
    return { event: 'person.removed', details: { canReturn, days: DELETION_DAYS } };
  });
  return isoTime(dueAt ?? Date.now());
}

/**
 * A link by which the person chooses a new password: once, and for half an hour as one that is asked for.
 * @throws Refusal `email_login_closed` where nobody signs in with a password, `not_found`
 */
export async function makeResetLink(office: Office, userId: string): Promise<{ link: string; minutes: number }> {
  const { db, config, actor } = office;
  assertPasswordsUsed(office);
  return db.query.transaction(async (tx) => {
    await assertStillAdministrator(tx, actor);
    const user = await assertUser({ query: tx }, userId);
    const link = await createResetLink({ query: tx }, config.server, userId, {
      mailed: false,
      madeBy: actor?.id ?? null,
    });
    await recordEvent(tx, actor, { event: 'person.reset_link_made', userId, details: personDetails(user) });
    return { link, minutes: RESET_MINUTES };
  });
}

/** @returns the credits that they have now. @throws Refusal `not_found` */
export async function addBalance({ db, actor }: Office, userId: string, credits: number): Promise<number> {
  return db.query.transaction(async (tx) => {
    await assertStillAdministrator(tx, actor);
    const user = await assertUser({ query: tx }, userId);
    const after = await addCredits({ query: tx }, userId, credits);
    await recordEvent(tx, actor, {
      event: 'person.balance_added',
      userId,
      details: { ...personDetails(user), credits, balance: after },
    });
    return after;
  });
}

/** @throws Refusal `email_login_closed` */
export function assertPasswordsUsed({ config }: Pick<Office, 'config'>): void {
  if (!config.startup.emailLoginEnabled) refuse({ type: 'email_login_closed' });
}

/** What an event says of a person: it outlives the account. */
export function personDetails({ name, email }: Pick<UserRow, 'name' | 'email'>): Details {
  return { name, email };
}

/** Anyone who lost the role while the call was under way changes nothing more. @throws Refusal `forbidden` */
export async function assertStillAdministrator(tx: Tx, actor: Actor | null): Promise<void> {
  if (!actor) return;
  const now = await findUser({ query: tx }, actor.id);
  if (now?.role !== 'ADMIN' || now.state !== 'active') refuse({ type: 'forbidden' });
}

type Change = { event: string; details?: Details } | null;

/**
 * Changes somebody else's account, one administrator after the other; `work` returns null when there is nothing to do.
 * Returns the row as it is then.
 */
async function changePerson(
  { db, actor }: Office,
  userId: string,
  work: (tx: Tx, user: UserRow) => Promise<Change>,
): Promise<UserRow> {
  return db.query.transaction(async (tx) => {
    await lockAdministrators(tx);
    await assertStillAdministrator(tx, actor);
    if (actor?.id === userId) refuse({ type: 'own_account' });
    const user = await assertUser({ query: tx }, userId);
    const change = await work(tx, user);
    if (!change) return user;
    if (user.role === 'ADMIN') await assertAdministratorLeft(tx);
    const { event, details } = change;
    await recordEvent(tx, actor, { event, userId, details: { ...personDetails(user), ...details } });
    return assertUser({ query: tx }, userId);
  });
}

/** Ends the sessions first, as all do who change an account and its sessions, and the answers last. */
async function shutOut(
  tx: Tx,
  userId: string,
  change: Parameters<typeof update>[2],
  event?: RightEvent,
): Promise<void> {
  await revokeSessions(tx, userId);
  if (event) await endCapabilities(tx, userId, event);
  if (event) await forgetLeaving(tx, userId);
  await update(tx, userId, change);
  await stopUserRuns(tx, userId);
}

/** What an administrator has shut stays so when the directory lets the person in again. */
async function forgetLeaving(tx: Tx, userId: string): Promise<void> {
  await tx.update(identities).set({ goneAt: null }).where(eq(identities.userId, userId));
}

async function update(tx: Tx, userId: string, change: Parameters<ReturnType<Tx['update']>['set']>[0]): Promise<void> {
  await tx
    .update(users)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(users.id, userId));
}
