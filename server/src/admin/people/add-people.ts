// How people come in by an administrator: accounts that are made for them, and invitations.
import type { CreatePerson, InvitationRow, Invite, Role } from '@parley/schema/accounts/people';
import type { output } from 'zod';
import { invitationEmail } from '../../auth/email-templates.ts';
import { assertNotBreached } from '../../auth/password/breached-passwords.ts';
import { hashPassword } from '../../auth/password/password-hash.ts';
import { createInvitation, listInvitations, revokeInvitation } from '../../auth/registration/invitations.ts';
import { assertDomainAllowed, REGISTRATION } from '../../auth/registration/registration.ts';
import { createResetLink, RESET_MINUTES } from '../../auth/reset/reset-links.ts';
import { createUser, findUserByEmail } from '../../auth/users.ts';
import type { Config } from '../../config/config.ts';
import { refuse } from '../../platform/errors.ts';
import type { Mail } from '../../platform/mail.ts';
import { recordEvent } from '../audit-events.ts';
import { assertPasswordsUsed, assertStillAdministrator, personDetails, type Office } from './change-person.ts';

export interface Registrar extends Office {
  config: Pick<Config, 'server' | 'startup' | 'accounts'>;
  /** Null when no mail server is configured. */
  mail: Mail | null;
}

type NewPerson = Omit<output<typeof CreatePerson>, 'role'> & { role?: Role };

export interface Created {
  userId: string;
  /** By which the person chooses a password; null where one was given. */
  link: string | null;
  minutes: number;
}

/**
 * The account is active at once, whatever the rules of registration say. Without a role it is a user's, or the first
 * administrator's.
 * @throws Refusal `conflict` for a taken address, `email_login_closed`, `invalid_input`
 */
export async function createPerson(office: Registrar, input: NewPerson): Promise<Created> {
  const { db, config, actor } = office;
  const { email, name, role, password } = input;
  assertPasswordsUsed(office);
  if (password !== undefined) await assertNotBreached({ config }, password);
  const passwordHash = password === undefined ? null : await hashPassword(password);
  return db.query.transaction(async (tx) => {
    await assertStillAdministrator(tx, actor);
    const values = { email, name, passwordHash, ...(role && { role }) };
    const user = (await createUser({ query: tx }, values)) ?? refuse(TAKEN);
    await recordEvent(tx, actor, {
      event: 'person.created',
      userId: user.id,
      details: { ...personDetails(user), role: user.role },
    });
    const link =
      password === undefined
        ? await createResetLink({ query: tx }, config.server, user.id, { mailed: false, madeBy: actor?.id ?? null })
        : null;
    return { userId: user.id, link, minutes: RESET_MINUTES };
  });
}

/**
 * The link is shown this once; where there is mail and an address, it is mailed there, too.
 * @throws Refusal `email_domain_not_allowed`, `conflict` for a taken address
 */
export async function invite(office: Registrar, input: Invite): Promise<{ link: string; isMailed: boolean }> {
  const { db, config, actor, mail } = office;
  const { email } = input;
  const { allowedDomains } = await REGISTRATION.current({ db, config });
  if (email !== null) assertDomainAllowed(allowedDomains, email);
  if (email !== null && (await findUserByEmail(db, email))) refuse(TAKEN);
  const link = await db.query.transaction(async (tx) => {
    await assertStillAdministrator(tx, actor);
    const made = await createInvitation(tx, config.server.domainClient, { ...input, createdBy: actor?.id ?? null });
    const { role, expiresInDays: days } = input;
    await recordEvent(tx, actor, { event: 'person.invited', details: { email, role, days } });
    return made.link;
  });
  if (email !== null)
    mail?.send(async () => invitationEmail(config.startup.appTitle, { email, link, days: input.expiresInDays }));
  return { link, isMailed: email !== null && mail !== null };
}

export function openInvitations({ db }: Pick<Office, 'db'>): Promise<InvitationRow[]> {
  return listInvitations(db);
}

/** @throws Refusal `invalid_invitation` when it was used meanwhile, has expired or is gone */
export async function revoke({ db, actor }: Office, id: string): Promise<void> {
  await db.query.transaction(async (tx) => {
    await assertStillAdministrator(tx, actor);
    const { email } = (await revokeInvitation(tx, id)) ?? refuse({ type: 'invalid_invitation' });
    await recordEvent(tx, actor, { event: 'invitation.revoked', details: { email } });
  });
}

const TAKEN = { type: 'conflict', text: 'There is an account with this e-mail address.' } as const;
