import type { Deps } from '../deps.ts';
import { refuse } from '../errors.ts';
import type { Http } from '../trpc.ts';
import { countSignIn } from './attempts.ts';
import { audit } from './audit.ts';
import type { SignedIn } from './authenticator.ts';
import { verifyPassword } from './passwords.ts';
import { replacePassword } from './replace-password.ts';
import { removeReset } from './resets.ts';
import { assertUser, findPasswordHash } from './users.ts';

interface Passwords {
  current_password: string;
  password: string;
}

/**
 * Another password for who knows the one before. This sign-in stays, all others of the user end. Guessing at the
 * password before is counted like guessing at a sign-in.
 * @throws Refusal `too_many_attempts`, `invalid_credentials` (also where there was no password)
 */
export async function changePassword(deps: Deps, http: Http, by: SignedIn, passwords: Passwords): Promise<void> {
  const { userId, sid: kept } = by;
  const { email, passwordHash } = await assertUser(deps.db, userId);
  await countSignIn(deps, http, email);
  if (!(await verifyPassword(passwordHash, passwords.current_password))) turnAway(deps, http, by);
  await replacePassword(deps, { userId, password: passwords.password, kept }, async (tx) => {
    // A reset may have been quicker, and then its password holds.
    if ((await findPasswordHash(tx, userId)) !== passwordHash) turnAway(deps, http, by);
    await removeReset(tx, userId);
    return {};
  });
  audit(deps, 'password_changed', { ...by, ip: http.ip });
}

function turnAway(deps: Deps, http: Http, by: SignedIn): never {
  audit(deps, 'password_change_failed', { ...by, ip: http.ip });
  refuse({ type: 'invalid_credentials' });
}
