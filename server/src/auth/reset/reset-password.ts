import { ResetPassword } from '@parley/schema/accounts/users';
import type * as z from 'zod';
import { refuse } from '../../platform/errors.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { limitResetUse, resetSignInLimit } from '../rate-limits.ts';
import { audit } from '../../platform/audit.ts';
import { withUncommonPassword } from '../password/common-passwords.ts';
import { replacePassword } from '../password/replace-password.ts';
import { confirmedFacts } from '../registration/confirm-address.ts';
import { tellAdministrators } from '../registration/tell-administrators.ts';
import { assertUser } from '../users.ts';
import { isResetValid, consumeReset } from './reset-links.ts';
import { removeUnproven } from '../oauth/identities.ts';
import type { AuthServices } from '../auth-services.ts';

export const ResetPasswordInput = withUncommonPassword(ResetPassword);

/**
 * Sets a new password with a reset link, and consumes the link. Ends all sessions of the account and creates none. A
 * link that came by mail proves that the user owns the address: identities linked before that may be an attacker's and
 * are removed. A ban stays.
 * @throws Refusal `too_many_attempts`, `invalid_reset_token`
 */
export async function resetPassword(
  deps: AuthServices,
  http: Http,
  input: z.output<typeof ResetPasswordInput>,
): Promise<void> {
  const { userId, password } = input;
  await limitResetUse(deps, http);
  // Hashing is expensive: validate the link first.
  if (!(await isResetValid(deps.db, input))) rejectReset(deps, http);
  const user = await replacePassword(deps, { userId, password }, async (tx) => {
    const { mailed } = (await consumeReset(tx, input)) ?? rejectReset(deps, http);
    if (!mailed) return {};
    await removeUnproven(tx, userId);
    return confirmedFacts(tx, deps, await assertUser({ query: tx }, userId));
  });
  if (user.state === 'waiting') tellAdministrators(deps);
  await resetSignInLimit(deps, user.email);
  audit(deps, 'password_reset', { userId, ip: http.ip });
}

function rejectReset(deps: AuthServices, http: Http): never {
  audit(deps, 'reset_failed', { ip: http.ip });
  refuse({ type: 'invalid_reset_token' });
}
