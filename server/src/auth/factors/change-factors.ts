// Switching two-step sign-in on and off. Each change needs a recent proof of who asks (`step-up/`); taking the last
// factor away needs both the password and a factor.
import { randomUUID } from 'node:crypto';
import type { Query, Tx } from '@parley/db/client';
import { factors } from '@parley/db/tables/users';
import { withUserLock } from '@parley/db/user-rows';
import type { ConfirmFactor, NewFactor } from '@parley/schema/accounts/factors';
import type { RenamePasskey } from '@parley/schema/accounts/passkeys';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { output } from 'zod';
import { audit } from '../../platform/audit.ts';
import { refuse } from '../../platform/errors.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { limitCodes } from '../rate-limits.ts';
import type { AuthSession } from '../../platform/requests/auth-session.ts';
import { assertElevated } from '../step-up/elevation.ts';
import { assertUser } from '../users.ts';
import { addedFactor, removedFactor } from './added-factor.ts';
import { base32 } from './base32.ts';
import { factorOwner, listFactors, removeFactors } from './factors.ts';
import { stepOfCode } from './proof.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { isFactorRequired } from './required-factor.ts';
import { newTotpSecret, totpUri } from './totp.ts';
import type { FactorServices, AuthServices } from '../auth-services.ts';

/**
 * What an authenticator app is set up with. It counts once `confirmApp` has seen a code; an earlier one that was never
 * confirmed is forgotten.
 * @throws Refusal `conflict` when there is one
 */
export async function beginApp(deps: FactorServices, { userId }: AuthSession): Promise<NewFactor> {
  const user = await assertUser(deps.db, userId);
  await assertNoApp(deps.db.query, userId);
  const [id, secret] = [randomUUID(), newTotpSecret()];
  const encrypted = deps.encryption.encrypt(secret.toString('base64'), factorOwner(userId, id));
  await deps.db.query.transaction(async (tx) => {
    await tx.delete(factors).where(isUnconfirmed(userId));
    await tx.insert(factors).values({ userId, id, kind: 'totp', encrypted });
  });
  return { id, secret: base32(secret), uri: totpUri(secret, deps.config.startup.appTitle, user.email) };
}

/**
 * Keeps it, and returns the recovery codes, which are shown this once, if it is the first second factor.
 * @throws Refusal `too_many_attempts`, `wrong_code`, `conflict` when there is one, or was begun again elsewhere
 */
export async function confirmApp(
  deps: FactorServices,
  http: Http,
  by: AuthSession,
  { id, code }: output<typeof ConfirmFactor>,
): Promise<string[] | null> {
  const { userId } = by;
  await limitCodes(deps, http, userId);
  const codes = await withUserLock(deps.db.query, userId, async (tx) => {
    const own = await assertNoApp(tx, userId);
    const isIt = and(isUnconfirmed(userId), id === undefined ? undefined : eq(factors.id, id));
    const [begun] = await tx.select().from(factors).where(isIt);
    if (!begun) refuse(BEGUN_AGAIN);
    const lastStep = stepOfCode(deps, begun, code.replaceAll(/\s/g, ''), Date.now());
    if (lastStep === null) refuse({ type: 'wrong_code' });
    await tx
      .update(factors)
      .set({ confirmedAt: sql`now()`, lastStep })
      .where(isIt);
    return own.length === 0 ? renewRecoveryCodes(tx, deps, userId) : null;
  });
  await addedFactor(deps, http, by, { isFirst: codes !== null });
  return codes;
}

/** What is gone already is no error. @throws Refusal `step_up_needed`, `last_factor` where one has to have one */
export async function removeFactor(deps: AuthServices, http: Http, by: AuthSession, id: string): Promise<void> {
  const { userId } = by;
  const left = await withUserLock(deps.db.query, userId, async (tx) => {
    const own = await listFactors(tx, userId);
    const isOwn = own.some((factor) => factor.id === id);
    const isLast = isOwn && own.length === 1;
    if (isLast && isFactorRequired(deps.config.accounts.requireSecondFactor, await assertUser({ query: tx }, userId)))
      refuse({ type: 'last_factor' });
    await assertElevated(tx, by, isLast ? 'both' : 'sign_in');
    return isOwn ? removeOne(tx, userId, id, own.length - 1) : null;
  });
  if (left !== null) await removedFactor(deps, http, by, { isLast: left === 0 });
}

/** One that is gone is no error. */
export async function renamePasskey(
  { db }: AuthServices,
  { userId }: AuthSession,
  { id, name }: output<typeof RenamePasskey>,
): Promise<void> {
  await db.query
    .update(factors)
    .set({ name })
    .where(
      and(eq(factors.userId, userId), eq(factors.id, id), eq(factors.kind, 'passkey'), isNotNull(factors.confirmedAt)),
    );
}

/** The earlier ones stop working. @throws Refusal `conflict` where two-step sign-in is off */
export async function newRecoveryCodes(deps: AuthServices, http: Http, by: AuthSession): Promise<string[]> {
  const codes = await withUserLock(deps.db.query, by.userId, async (tx) => {
    if ((await listFactors(tx, by.userId)).length === 0) refuse(IS_OFF);
    return renewRecoveryCodes(tx, deps, by.userId);
  });
  audit(deps, 'recovery_codes_renewed', { ...by, ip: http.ip });
  return codes;
}

const IS_ON = { type: 'conflict', text: 'Two-step sign-in has an authenticator app already.' } as const;
const IS_OFF = { type: 'conflict', text: 'Two-step sign-in is off.' } as const;
const BEGUN_AGAIN = { type: 'conflict', text: 'This was begun again elsewhere. Please begin again.' } as const;

/** Returns the other factors. */
async function assertNoApp(query: Query, userId: string) {
  const own = await listFactors(query, userId);
  return own.some(({ kind }) => kind === 'totp') ? refuse(IS_ON) : own;
}

/** Returns how many are left; recovery codes stand in for a factor, and go with the last. */
async function removeOne(tx: Tx, userId: string, id: string, left: number): Promise<number> {
  if (left === 0) await removeFactors(tx, userId);
  else await tx.delete(factors).where(and(eq(factors.userId, userId), eq(factors.id, id)));
  return left;
}

function isUnconfirmed(userId: string) {
  return and(eq(factors.userId, userId), isNull(factors.confirmedAt));
}
