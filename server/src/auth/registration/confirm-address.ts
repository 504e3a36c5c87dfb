// Anyone who registers by a password proves the address by a link in a mail, where the operator asks for it
// (ALLOW_UNVERIFIED_EMAIL_LOGIN=false). The link works once, for a day, and in any browser.
import type { Query } from '@parley/db/client';
import { invitations } from '@parley/db/tables/administration';
import { users } from '@parley/db/tables/users';
import { eq, sql } from 'drizzle-orm';
import { audit } from '../../platform/audit.ts';
import { refuse } from '../../platform/errors.ts';
import type { Email } from '../../platform/mail.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { confirmationEmail } from '../email-templates.ts';
import { consumeConfirmation, createConfirmation, removeTickets } from '../factors/sign-in-tickets.ts';
import { limitResetRequest, limitResetUse } from '../rate-limits.ts';
import { assertUser, findUserByEmail, type UserRow } from '../users.ts';
import { tellAdministrators } from './tell-administrators.ts';
import type { AuthServices } from '../auth-services.ts';
import type { CoreServices } from '../../platform/requests/request-services.ts';

/** Without waiting. */
export function mailConfirmation(deps: AuthServices, email: string): void {
  deps.mail?.send(() => write(deps, email));
}

/** Says and does the same whether the account exists or not. @throws Refusal `too_many_attempts` */
export async function resendConfirmation(deps: AuthServices, http: Http, email: string): Promise<void> {
  await limitResetRequest(deps, http, email, 'confirm');
  mailConfirmation(deps, email);
}

/** @throws Refusal `too_many_attempts`, `invalid_confirmation` */
export async function confirmAddress(deps: AuthServices, http: Http, token: string): Promise<void> {
  await limitResetUse(deps, http);
  const { id, state } = await deps.db.query.transaction(async (tx) => {
    const userId = await consumeConfirmation(tx, token);
    if (userId === undefined) refuse({ type: 'invalid_confirmation' });
    const user = await assertUser({ query: tx }, userId);
    const confirmed = await confirmedFacts(tx, deps, user);
    await removeTickets(tx, userId);
    await tx
      .update(users)
      .set({ ...confirmed, updatedAt: sql`now()` })
      .where(eq(users.id, userId));
    return { ...user, ...confirmed };
  });
  audit(deps, 'address_confirmed', { userId: id, ip: http.ip });
  if (state === 'waiting') tellAdministrators(deps);
}

/** What the row of an account becomes whose address is proven. Approval comes after it, and an invitation spares that. */
export async function confirmedFacts(
  tx: Query,
  { registration }: AuthServices,
  { id, state }: UserRow,
): Promise<Pick<UserRow, 'emailVerified'> & Partial<Pick<UserRow, 'state'>>> {
  if (state !== 'unconfirmed') return { emailVerified: true };
  const { mode } = await registration.rules();
  if (mode !== 'approval') return { emailVerified: true, state: 'active' };
  const invited = await tx.select({ id: invitations.id }).from(invitations).where(eq(invitations.usedBy, id)).limit(1);
  return { emailVerified: true, state: invited.length > 0 ? 'active' : 'waiting' };
}

async function write({ db, config }: CoreServices, email: string): Promise<Email | null> {
  const user = await findUserByEmail(db, email);
  if (user?.state !== 'unconfirmed') return null;
  const link = `${config.server.domainClient}/confirm-email?token=${await createConfirmation(db, user.id)}`;
  return confirmationEmail(config.startup.appTitle, user, link);
}
