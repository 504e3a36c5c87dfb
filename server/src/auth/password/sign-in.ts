// Sign-in with e-mail and password, or with what the operator's directory calls a person.
import { refuse } from '../../platform/errors.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { assertNetworkNotBanned } from '../network-bans.ts';
import { factorKinds, listFactors } from '../factors/factors.ts';
import { createTicket } from '../factors/sign-in-tickets.ts';
import { signInByDirectory } from '../ldap/directory-password.ts';
import { accountKey, limitSignIn } from '../rate-limits.ts';
import { audit } from '../../platform/audit.ts';
import { enterAccount } from '../session/enter-account.ts';
import type { SessionResponse } from '../session/issue-session.ts';
import { hashPassword, isOutdated, verifyPassword } from './password-hash.ts';
import { assertMayEnter, findUserByEmail, renewPasswordHash } from '../users.ts';
import type { UserRow } from '../users.ts';
import type { AuthServices } from '../auth-services.ts';

/**
 * An unknown e-mail and a wrong password have the same response and timing; a ban and the state of the account are
 * revealed only to those who know the password.
 * @throws Refusal `too_many_attempts`, `invalid_credentials`, `banned`, `account_disabled`, `account_waiting`,
 * `factor_needed` with the ticket for the second step; with a directory, as `signInByDirectory`
 */
export async function signIn(
  deps: AuthServices,
  http: Http,
  { email: typed, password }: { email: string; password: string },
): Promise<SessionResponse> {
  // Directories take letters of another width and further spaces for the same name: so do the limits.
  const email = deps.config.accounts.ldap ? typed.normalize('NFKC').replace(/\s+/g, ' ').trim() : typed;
  await limitSignIn(deps, http, email);
  if (deps.config.bans.enabled) await assertNetworkNotBanned(deps.db, http.ip);
  const known = await findUserByEmail(deps.db, email);
  const isOurs = await verifyPassword(known?.passwordHash ?? null, password);
  const user = isOurs ? known : await signInByDirectory(deps, http, { account: email, password });
  if (!user) rejectSignIn(deps, http, email);
  assertMayEnter(user);
  if (isOurs) await refreshHash(deps, user, password);
  const kinds = factorKinds(await listFactors(deps.db.query, user.id));
  if (kinds.length > 0) refuse({ type: 'factor_needed', ticket: await createTicket(deps.db, user.id), kinds });
  return enterAccount(deps, http, user, async (_tx, now) => {
    if (!isOurs) return;
    // The password may have changed since; that change ended all sessions, so do not create another.
    const passwordHash = now?.passwordHash ?? null;
    const isSame = passwordHash === user.passwordHash || (await verifyPassword(passwordHash, password));
    if (!isSame) rejectSignIn(deps, http, email);
  });
}

function rejectSignIn(deps: AuthServices, http: Http, email: string): never {
  audit(deps, 'sign_in_failed', { account: accountKey(deps, email), ip: http.ip });
  refuse({ type: 'invalid_credentials' });
}

/** @throws Refusal `email_login_closed` */
export function assertEmailLoginOpen({ config }: AuthServices): void {
  if (!config.startup.emailLoginEnabled) refuse({ type: 'email_login_closed' });
}

/** A second step follows a password or, where that is set, another site. @throws Refusal `email_login_closed` */
export function assertSecondStepOpen(deps: AuthServices): void {
  if (!deps.config.accounts.factorAfterOauth) assertEmailLoginOpen(deps);
}

/** Rehashes with the current parameters; only sign-in has the plain password. */
async function refreshHash(deps: AuthServices, { id, passwordHash }: UserRow, password: string): Promise<void> {
  if (!passwordHash || !isOutdated(passwordHash)) return;
  await renewPasswordHash(deps.db, id, passwordHash, await hashPassword(password));
}
