import type { Deps } from '../deps.ts';
import { refuse } from '../errors.ts';
import type { Http } from '../trpc.ts';
import { countReset, forgetSignIns } from './attempts.ts';
import { audit } from './audit.ts';
import { replacePassword } from './replace-password.ts';
import { isResetGood, takeReset, type ResetClaim } from './resets.ts';
import { removeUnproven } from './social/identities.ts';

/**
 * A new password for who has the link, which is used up by it. Everybody who was signed in to the account is signed out,
 * and nobody is signed in. A link that came by mail proves that the address is the user's: what was linked to the account
 * before somebody had, may be a stranger's. A ban stays.
 * @throws Refusal `too_many_attempts`, `invalid_reset_token`
 */
export async function resetPassword(deps: Deps, http: Http, input: ResetClaim & { password: string }): Promise<void> {
  const { userId, password } = input;
  await countReset(deps, http);
  // Hashing is dear: who has no link gets none of it.
  if (!(await isResetGood(deps.db, input))) turnAway(deps, http);
  const user = await replacePassword(deps, { userId, password }, async (tx) => {
    const { mailed } = (await takeReset(tx, input)) ?? turnAway(deps, http);
    if (!mailed) return {};
    await removeUnproven(tx, userId);
    return { emailVerified: true };
  });
  await forgetSignIns(deps, user.email);
  audit(deps, 'password_reset', { userId, ip: http.ip });
}

function turnAway(deps: Deps, http: Http): never {
  audit(deps, 'reset_failed', { ip: http.ip });
  refuse({ type: 'invalid_reset_token' });
}
