import { ChangePassword } from '@parley/schema/accounts/users';
import type * as z from 'zod';
import { refuse } from '../../platform/errors.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { audit } from '../../platform/audit.ts';
import type { AuthSession } from '../../platform/requests/auth-session.ts';
import { withUncommonPassword } from './common-passwords.ts';
import { replacePassword } from './replace-password.ts';
import { assertEmailLoginOpen } from './sign-in.ts';
import { removeReset } from '../reset/reset-links.ts';
import { findPasswordHash } from '../users.ts';
import type { AuthServices } from '../auth-services.ts';

export const ChangePasswordInput = withUncommonPassword(ChangePassword);

/**
 * Changes the password of a user who has just proven who they are. Keeps this session and ends all others of the user.
 * @throws Refusal `email_login_closed`, `invalid_credentials` for an account without a password
 */
export async function changePassword(
  deps: AuthServices,
  http: Http,
  by: AuthSession,
  passwords: z.output<typeof ChangePasswordInput>,
): Promise<void> {
  const { userId, sid: kept } = by;
  assertEmailLoginOpen(deps);
  const passwordHash = (await findPasswordHash(deps.db.query, userId)) ?? rejectPassword(deps, http, by);
  await replacePassword(deps, { userId, password: passwords.password, kept }, async (tx) => {
    // If a concurrent reset was first, its password stays.
    if ((await findPasswordHash(tx, userId)) !== passwordHash) rejectPassword(deps, http, by);
    await removeReset(tx, userId);
    return {};
  });
  audit(deps, 'password_changed', { ...by, ip: http.ip });
}

function rejectPassword(deps: AuthServices, http: Http, by: AuthSession): never {
  audit(deps, 'password_change_failed', { ...by, ip: http.ip });
  refuse({ type: 'invalid_credentials' });
}
