// The deletion of an account by its owner: asked for, taken back. What happens when its time has come is in
// `accounts/sweep-accounts.ts`.
import { users } from '@parley/db/tables/users';
import { KEEP_ACCOUNT_DAYS, type DeleteAccount } from '@parley/schema/accounts/users';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Deps } from '../../deps.ts';
import type { Http } from '../../http/request-info.ts';
import { audit } from '../../platform/audit.ts';
import { refuse } from '../../platform/errors.ts';
import { verifyPassword } from '../password/password-hash.ts';
import { limitSignIn } from '../rate-limits.ts';
import type { AuthSession } from '../session/authenticator.ts';
import { clearRefreshCookie, readRefreshToken } from '../session/cookies.ts';
import { refresh } from '../session/refresh.ts';
import type { SessionResponse } from '../session/issue-session.ts';
import { findOwnerOfToken, revokeSessions } from '../session/sessions.ts';
import { assertUser, type UserRow } from '../users.ts';

/**
 * Signs the owner out everywhere at once; the account is deleted after some days.
 * @throws Refusal `invalid_credentials`, `too_many_attempts`
 */
export async function deleteAccount(
  deps: Deps,
  http: Http,
  { userId, sid }: AuthSession,
  proof: DeleteAccount,
): Promise<{ dueAt: string }> {
  const user = await assertUser(deps.db, userId);
  await limitSignIn(deps, http, user.email);
  if (!(await isProved(user, proof))) {
    audit(deps, 'account_deletion_failed', { userId, sid, ip: http.ip });
    refuse({ type: 'invalid_credentials' });
  }
  const dueAt = await deps.db.query.transaction(async (tx) => {
    await revokeSessions(tx, userId);
    const [row] = await tx
      .update(users)
      .set({ deletionDueAt: sql`now() + make_interval(days => ${KEEP_ACCOUNT_DAYS})` })
      .where(eq(users.id, userId))
      .returning({ dueAt: users.deletionDueAt });
    return row?.dueAt ?? refuse({ type: 'not_found', what: 'user' });
  });
  deps.auth.invalidateUser(userId);
  clearRefreshCookie(http, deps.config.server.domainClient);
  audit(deps, 'account_deletion_asked', { userId, sid, ip: http.ip });
  return { dueAt: new Date(dueAt).toISOString() };
}

/** Takes the deletion back, by the cookie of a sign-in after it. Too late once its time has come. */
export async function keepAccount(deps: Deps, http: Http): Promise<SessionResponse> {
  const token = readRefreshToken(http.headers);
  const owner = token ? await findOwnerOfToken(deps.db, token) : undefined;
  if (!owner) return refuse({ type: 'unauthorized' });
  await deps.db.query
    .update(users)
    .set({ deletionDueAt: null })
    .where(and(eq(users.id, owner.userId), gt(users.deletionDueAt, sql`now()`)));
  deps.auth.invalidateUser(owner.userId);
  audit(deps, 'account_kept', { ...owner, ip: http.ip });
  return (await refresh(deps, http)) ?? refuse({ type: 'unauthorized' });
}

async function isProved({ passwordHash, email }: UserRow, proof: DeleteAccount): Promise<boolean> {
  if (passwordHash !== null) return verifyPassword(passwordHash, proof.password ?? '');
  return proof.email?.trim().toLowerCase() === email.toLowerCase();
}
