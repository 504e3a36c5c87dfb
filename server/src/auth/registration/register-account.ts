// Makes the account of somebody who registers, by form or by another site.
import type { Db } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import type { RegistrationRules } from '@parley/schema/accounts/registration';
import { refuse } from '../../platform/errors.ts';
import { createUser, type NewUser, type UserRow } from '../users.ts';
import { lockInvitation, useInvitation } from './invitations.ts';
import { assertDomainAllowed, isOpenMode } from './registration.ts';

interface Applicant {
  values: Omit<NewUser, 'role' | 'state'>;
  /** The token of a link. It opens registration and spares the approval, but no domain. */
  invitation?: string | undefined;
  /** Whether the address is to be proven first. An invitation that names the address was mailed there. */
  confirms?: boolean;
}

/**
 * Undefined when the e-mail is taken; then an invitation stays unused. The first account of a server is always allowed,
 * and never waits.
 * @throws Refusal `registration_closed`, `invalid_invitation`, `email_domain_not_allowed`
 */
export function registerAccount(
  db: Db,
  rules: RegistrationRules,
  { values, invitation, confirms = false }: Applicant,
): Promise<UserRow | undefined> {
  assertDomainAllowed(rules.allowedDomains, values.email);
  return db.query.transaction(async (tx) => {
    const invited = invitation === undefined ? null : await lockInvitation(tx, invitation, values.email);
    const isProven = typeof invited?.email === 'string';
    const isUnapproved = !invited && rules.mode === 'approval';
    const user = await createUser(
      { ...db, query: tx },
      {
        ...values,
        ...(confirms && isProven && { emailVerified: true }),
        state: confirms && !isProven ? 'unconfirmed' : isUnapproved ? 'waiting' : 'active',
        ...(invited?.role === 'ADMIN' && { role: 'ADMIN' }),
      },
    );
    // Anyone who is first has become an administrator.
    if (!invited && !isOpenMode(rules.mode) && user?.role !== 'ADMIN') refuse({ type: 'registration_closed' });
    if (invited && user) await useInvitation(tx, invited.id, user.id);
    return user;
  });
}

/** @throws Refusal `registration_closed` unless this would be the first account */
export async function assertMayApply({ query }: Db, { mode }: RegistrationRules): Promise<void> {
  if (isOpenMode(mode)) return;
  const [someone] = await query.select({ id: users.id }).from(users).limit(1);
  if (someone) refuse({ type: 'registration_closed' });
}
