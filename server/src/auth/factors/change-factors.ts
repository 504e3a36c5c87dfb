// Switching two-step sign-in on and off. Each change needs the password; what weakens it needs a code as well.
import { randomUUID } from 'node:crypto';
import { factors } from '@parley/db/tables/users';
import type { BeginFactor, BothFactors, ConfirmFactor, NewFactor } from '@parley/schema/accounts/factors';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { output } from 'zod';
import { lockUser } from '@parley/db/user-rows';
import type { Deps } from '../../deps.ts';
import { audit } from '../../platform/audit.ts';
import { refuse } from '../../platform/errors.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { secondFactorEmail } from '../email-templates.ts';
import { verifyPassword } from '../password/password-hash.ts';
import { limitCodes, limitSignIn } from '../rate-limits.ts';
import type { AuthSession } from '../session/authenticator.ts';
import { assertUser, type UserRow } from '../users.ts';
import { base32 } from './base32.ts';
import { factorOwner, findFactor, proveCode, removeFactors, stepOfCode } from './factors.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { newTotpSecret, totpUri } from './totp.ts';

/**
 * What an authenticator app is set up with. It counts once `confirmFactor` has seen a code; an earlier one that was
 * never confirmed is forgotten.
 * @throws Refusal `too_many_attempts`, `invalid_credentials`, `conflict` when two-step sign-in is on
 */
export async function beginFactor(
  deps: Deps,
  http: Http,
  { userId }: AuthSession,
  { password }: output<typeof BeginFactor>,
): Promise<NewFactor> {
  const user = await assertPassword(deps, http, userId, password);
  if (await findFactor(deps.db.query, userId)) refuse(IS_ON);
  const [id, secret] = [randomUUID(), newTotpSecret()];
  const encrypted = deps.encryption.encrypt(secret.toString('base64'), factorOwner(userId, id));
  await deps.db.query.transaction(async (tx) => {
    await tx.delete(factors).where(isUnconfirmed(userId));
    await tx.insert(factors).values({ userId, id, kind: 'totp', encrypted });
  });
  return { id, secret: base32(secret), uri: totpUri(secret, deps.config.startup.appTitle, user.email) };
}

/**
 * Switches it on, and returns the recovery codes, which are shown this once.
 * @throws Refusal `too_many_attempts`, `wrong_code`, `conflict` when it is on, or was begun again elsewhere
 */
export async function confirmFactor(
  deps: Deps,
  http: Http,
  by: AuthSession,
  { id, code }: output<typeof ConfirmFactor>,
): Promise<string[]> {
  const { userId } = by;
  await limitCodes(deps, http, userId);
  const codes = await deps.db.query.transaction(async (tx) => {
    await lockUser(tx, userId);
    if (await findFactor(tx, userId)) refuse(IS_ON);
    const isIt = and(isUnconfirmed(userId), eq(factors.id, id));
    const [begun] = await tx.select().from(factors).where(isIt);
    if (!begun) refuse(BEGUN_AGAIN);
    const lastStep = stepOfCode(deps, begun, code.replaceAll(/\s/g, ''), Date.now());
    if (lastStep === null) refuse({ type: 'wrong_code' });
    await tx
      .update(factors)
      .set({ confirmedAt: sql`now()`, lastStep })
      .where(isIt);
    return renewRecoveryCodes(tx, deps, userId);
  });
  audit(deps, 'factor_added', { ...by, ip: http.ip });
  await reportByMail(deps, userId, true);
  return codes;
}

/** Switches it off. @throws Refusal `too_many_attempts`, `invalid_credentials`, `wrong_code` */
export async function removeFactor(
  deps: Deps,
  http: Http,
  by: AuthSession,
  given: output<typeof BothFactors>,
): Promise<void> {
  await assertBoth(deps, http, by, given);
  const wasOn = await deps.db.query.transaction((tx) => removeFactors(tx, by.userId));
  if (!wasOn) return;
  audit(deps, 'factor_removed', { ...by, ip: http.ip });
  await reportByMail(deps, by.userId, false);
}

/** The earlier ones stop working. @throws as `removeFactor` */
export async function newRecoveryCodes(
  deps: Deps,
  http: Http,
  by: AuthSession,
  given: output<typeof BothFactors>,
): Promise<string[]> {
  await assertBoth(deps, http, by, given);
  const codes = await deps.db.query.transaction((tx) => renewRecoveryCodes(tx, deps, by.userId));
  audit(deps, 'recovery_codes_renewed', { ...by, ip: http.ip });
  return codes;
}

const IS_ON = { type: 'conflict', text: 'Two-step sign-in is on already.' } as const;
const BEGUN_AGAIN = { type: 'conflict', text: 'This was begun again elsewhere. Please begin again.' } as const;

async function assertBoth(
  deps: Deps,
  http: Http,
  by: AuthSession,
  { password, code }: output<typeof BothFactors>,
): Promise<void> {
  const { userId } = by;
  await assertPassword(deps, http, userId, password);
  await limitCodes(deps, http, userId);
  if (await proveCode(deps, { userId, code })) return;
  audit(deps, 'factor_refused', { ...by, ip: http.ip });
  refuse({ type: 'wrong_code' });
}

async function assertPassword(deps: Deps, http: Http, userId: string, password: string): Promise<UserRow> {
  const user = await assertUser(deps.db, userId);
  await limitSignIn(deps, http, user.email);
  if (!(await verifyPassword(user.passwordHash, password))) refuse({ type: 'invalid_credentials' });
  return user;
}

/** So that the owner of the account learns what somebody else may have done. */
async function reportByMail({ db, mail, config }: Deps, userId: string, isOn: boolean): Promise<void> {
  if (!mail) return;
  const user = await assertUser(db, userId);
  mail.send(async () => secondFactorEmail(config.startup.appTitle, user, isOn));
}

function isUnconfirmed(userId: string) {
  return and(eq(factors.userId, userId), isNull(factors.confirmedAt));
}
