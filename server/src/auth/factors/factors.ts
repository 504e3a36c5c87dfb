// Two-step sign-in by an authenticator app: who has it, and whether a code is right.
import type { Db, Query } from '@parley/db/client';
import { factors } from '@parley/db/tables/users';
import type { FactorStatus } from '@parley/schema/accounts/factors';
import { and, eq, isNotNull, lt } from 'drizzle-orm';
import type { Deps } from '../../deps.ts';
import type { KeyOwner } from '../../keys/encryption.ts';
import { isoTime } from '../../platform/iso-time.ts';
import { consumeRecoveryCode, countRecoveryCodes, removeRecoveryCodes } from './recovery-codes.ts';
import { matchingStep } from './totp.ts';

export type FactorRow = typeof factors.$inferSelect;

export async function factorStatus({ query }: Db, userId: string): Promise<FactorStatus> {
  const [factor, recoveryCodesLeft] = await Promise.all([findFactor(query, userId), countRecoveryCodes(query, userId)]);
  return { since: factor?.confirmedAt ? isoTime(factor.confirmedAt) : null, recoveryCodesLeft };
}

/** The confirmed one. */
export async function findFactor(query: Query, userId: string): Promise<FactorRow | undefined> {
  const [factor] = await query
    .select()
    .from(factors)
    .where(and(eq(factors.userId, userId), isNotNull(factors.confirmedAt)));
  return factor;
}

export type Proof = 'totp' | 'recovery';

/**
 * Whether the code is one of the user's authenticator app or a recovery code; null for a wrong one. A code that was
 * right is used up, for all processes. `now` is in milliseconds.
 */
export async function proveCode(
  deps: Pick<Deps, 'db' | 'encryption' | 'secrets'>,
  { userId, code }: { userId: string; code: string },
  now: number = Date.now(),
): Promise<Proof | null> {
  const { query } = deps.db;
  const typed = code.replaceAll(/[\s-]/g, '');
  const factor = await findFactor(query, userId);
  if (!factor) return null;
  if (!/^\d{6}$/.test(typed))
    return (await consumeRecoveryCode(query, deps, { userId, code: typed })) ? 'recovery' : null;
  const step = stepOfCode(deps, factor, typed, now);
  return step !== null && (await consumeStep(query, factor, step)) ? 'totp' : null;
}

/** The time step whose code this is; null for a wrong code, and where the secret cannot be decrypted any more. */
export function stepOfCode(
  { encryption }: Pick<Deps, 'encryption'>,
  { userId, id, encrypted }: Pick<FactorRow, 'userId' | 'id' | 'encrypted'>,
  code: string,
  now: number,
): number | null {
  const secret = encryption.decrypt(encrypted, factorOwner(userId, id));
  return secret === null ? null : matchingStep(Buffer.from(secret, 'base64'), code, now);
}

export function factorOwner(userId: string, id: string): KeyOwner {
  return { userId, name: `factor:${id}` };
}

/** False when this step, or a later one, was used. */
async function consumeStep(query: Query, { userId, id }: FactorRow, step: number): Promise<boolean> {
  const used = await query
    .update(factors)
    .set({ lastStep: step })
    .where(and(eq(factors.userId, userId), eq(factors.id, id), lt(factors.lastStep, step)))
    .returning({ id: factors.id });
  return used.length > 0;
}

/** Whether there was one. The password alone signs in then. */
export async function removeFactors(tx: Query, userId: string): Promise<boolean> {
  const removed = await tx.delete(factors).where(eq(factors.userId, userId)).returning({ at: factors.confirmedAt });
  await removeRecoveryCodes(tx, userId);
  return removed.some(({ at }) => at !== null);
}
