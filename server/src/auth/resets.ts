// Links by which a forgotten password is replaced. A user has one at a time, it is used once, and only its hash is kept.
import { createHash, randomBytes } from 'node:crypto';
import type { Db, Tx } from '@parley/db/client';
import { passwordResets } from '@parley/db/tables/password-resets';
import { Id } from '@parley/schema/ids';
import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Config } from '../config.ts';

/** How long a link is good. */
export const RESET_MINUTES = 30;

/** What a link says: whose password, and by which right. */
export interface ResetClaim {
  userId: string;
  token: string;
}

/** A new link for a user, in the place of an earlier one. `mailed` is whether only a reader of the user's mail sees it. */
export async function createResetLink(
  { query }: Db,
  { domainClient }: Config['server'],
  userId: string,
  { mailed }: { mailed: boolean },
): Promise<string> {
  const token = randomBytes(32).toString('hex');
  const expiresAt = sql`now() + make_interval(mins => ${RESET_MINUTES})`;
  const reset = { tokenHash: hashOf(token), expiresAt, mailed };
  await query
    .insert(passwordResets)
    .values({ userId, ...reset })
    .onConflictDoUpdate({ target: passwordResets.userId, set: reset });
  return `${domainClient}/reset-password?token=${token}&userId=${userId}`;
}

export async function isResetGood({ query }: Db, claim: ResetClaim): Promise<boolean> {
  if (!isClaim(claim)) return false;
  const found = await query.select({ userId: passwordResets.userId }).from(passwordResets).where(isGood(claim));
  return found.length > 0;
}

/** Uses a link up; undefined when it is no good, also when another call was quicker. */
export async function takeReset(tx: Tx, claim: ResetClaim): Promise<{ mailed: boolean } | undefined> {
  const [reset] = await tx.delete(passwordResets).where(isGood(claim)).returning({ mailed: passwordResets.mailed });
  return reset;
}

/** For a password that was replaced otherwise. */
export async function removeReset(tx: Tx, userId: string): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
}

/** Removes the links that have run out. */
export async function sweepResets({ query }: Db): Promise<void> {
  await query.delete(passwordResets).where(lte(passwordResets.expiresAt, sql`now()`));
}

function isGood({ userId, token }: ResetClaim) {
  return and(
    eq(passwordResets.userId, userId),
    eq(passwordResets.tokenHash, hashOf(token)),
    gt(passwordResets.expiresAt, sql`now()`),
  );
}

/** What has not even the form of a link is not looked for. */
function isClaim({ userId, token }: ResetClaim): boolean {
  return Id.safeParse(userId).success && /^[\da-f]{64}$/.test(token);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
