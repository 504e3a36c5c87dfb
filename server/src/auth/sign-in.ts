import type { Deps } from '../deps.ts';
import { refuse } from '../errors.ts';
import type { Http } from '../trpc.ts';
import { assertNetworkWelcome } from '../violations/network-bans.ts';
import { accountKey, countSignIn } from './attempts.ts';
import { audit } from './audit.ts';
import { handOver } from './hand-over.ts';
import type { SignedInAnswer } from './hand-over.ts';
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts';
import { createSessionIf } from './sessions.ts';
import { assertNotBanned, findPasswordHash, findUserByEmail, renewPasswordHash } from './users.ts';
import type { UserRow } from './users.ts';

interface Credentials {
  email: string;
  password: string;
}

/**
 * An unknown e-mail and a wrong password are the same, in answer and in time; only who knows the password learns of
 * a ban.
 * @throws Refusal `too_many_attempts`, `invalid_credentials`, `banned`
 */
export async function signIn(deps: Deps, http: Http, { email, password }: Credentials): Promise<SignedInAnswer> {
  await countSignIn(deps, http, email);
  if (deps.config.bans.enabled) await assertNetworkWelcome(deps.db, http.ip);
  const user = await findUserByEmail(deps.db, email);
  const matches = await verifyPassword(user?.passwordHash ?? null, password);
  if (!user || !matches) turnAway(deps, http, email);
  assertNotBanned(user);
  await refreshHash(deps, user, password);
  const session = await createSessionIf(deps.db, deps.config.accounts.refreshExpiryMs, user.id, async (tx) => {
    // It may have been replaced since it was verified, which ends all sign-ins by it: this one must not follow them.
    const passwordHash = await findPasswordHash(tx, user.id);
    const isSame = passwordHash === user.passwordHash || (await verifyPassword(passwordHash, password));
    if (!isSame) turnAway(deps, http, email);
  });
  audit(deps, 'signed_in', { userId: user.id, sid: session.sid, ip: http.ip });
  return handOver(deps, http, user, session);
}

function turnAway(deps: Deps, http: Http, email: string): never {
  audit(deps, 'sign_in_failed', { account: accountKey(deps, email), ip: http.ip });
  refuse({ type: 'invalid_credentials' });
}

/** @throws Refusal `email_login_closed` */
export function assertEmailLoginOpen({ config }: Deps): void {
  if (!config.startup.emailLoginEnabled) refuse({ type: 'email_login_closed' });
}

/** The only moment at which a hash of older parameters can be made anew. */
async function refreshHash(deps: Deps, { id, passwordHash }: UserRow, password: string): Promise<void> {
  if (!passwordHash || !isOutdated(passwordHash)) return;
  await renewPasswordHash(deps.db, id, passwordHash, await hashPassword(password));
}
