import { ChangePassword } from '@parley/schema/accounts/users';
import type * as z from 'zod';
import type { Deps } from '../../deps.ts';
import { refuse } from '../../platform/errors.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { limitSignIn } from '../rate-limits.ts';
import { audit } from '../../platform/audit.ts';
import type { AuthSession } from '../session/authenticator.ts';
import { withUncommonPassword } from './common-passwords.ts';
import { verifyPassword } from './password-hash.ts';
import { replacePassword } from './replace-password.ts';
import { removeReset } from '../reset/reset-links.ts';
import { assertUser, findPasswordHash } from '../users.ts';

export const ChangePasswordInput = withUncommonPassword(ChangePassword);

/**
 * Changes the password of a user who knows the current one. Keeps this session and ends all others of the user. Wrong
 * current passwords count towards the sign-in rate limit.
 * @throws Refusal `too_many_attempts`, `invalid_credentials` (also for an account without a password)
 */
export async function changePassword(
  deps: Deps,
  http: Http,
  by: AuthSession,
  passwords: z.output<typeof ChangePasswordInput>,
): Promise<void> {
  const { userId, sid: kept } = by;
  const { email, passwordHash } = await assertUser(deps.db, userId);
  await limitSignIn(deps, http, email);
  if (!(await verifyPassword(passwordHash, passwords.current_password))) rejectPassword(deps, http, by);
  await replacePassword(deps, { userId, password: passwords.password, kept }, async (tx) => {
    // If a concurrent reset was first, its password stays.
    if ((await findPasswordHash(tx, userId)) !== passwordHash) rejectPassword(deps, http, by);
    await removeReset(tx, userId);
    return {};
  });
  audit(deps, 'password_changed', { ...by, ip: http.ip });
}

function rejectPassword(deps: Deps, http: Http, by: AuthSession): never {
  audit(deps, 'password_change_failed', { ...by, ip: http.ip });
  refuse({ type: 'invalid_credentials' });
}
