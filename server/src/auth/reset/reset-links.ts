// Password reset links. A user has one at a time, it works once, and only its hash is stored. One that an administrator
// made works while they are one.
import { hash, randomBytes } from 'node:crypto';
import type { Db, Tx } from '@parley/db/client';
import { passwordResets } from '@parley/db/tables/users';
import { Id } from '@parley/schema/ids';
import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Config } from '../../config/config.ts';
import { holdMaker, restsOnAdministrator } from '../administrators.ts';

export const RESET_MINUTES = 30;

/** The contents of a link: the user and the token. */
export interface ResetClaim {
  userId: string;
  token: string;
}

/**
 * Creates a link, replacing any earlier one. `mailed` is whether it goes only to the user's mailbox, `madeBy` the
 * administrator who makes it for them.
 */
export async function createResetLink(
  { query }: Pick<Db, 'query'>,
  { domainClient }: Config['server'],
  userId: string,
  { mailed, madeBy = null }: { mailed: boolean; madeBy?: string | null },
): Promise<string> {
  const { token, reset } = newReset({ mailed, madeBy });
  await query
    .insert(passwordResets)
    .values({ userId, ...reset })
    .onConflictDoUpdate({ target: passwordResets.userId, set: reset });
  return linkOf(domainClient, userId, token);
}

/** Creates a link that is not mailed; null if an earlier one is still valid, which then stays. */
export async function createFirstResetLink(
  { query }: Db,
  { domainClient }: Config['server'],
  userId: string,
): Promise<string | null> {
  const { token, reset } = newReset({ mailed: false, madeBy: null });
  const made = await query
    .insert(passwordResets)
    .values({ userId, ...reset })
    .onConflictDoUpdate({
      target: passwordResets.userId,
      set: reset,
      setWhere: lte(passwordResets.expiresAt, sql`now()`),
    })
    .returning({ userId: passwordResets.userId });
  return made.length > 0 ? linkOf(domainClient, userId, token) : null;
}

function newReset(from: { mailed: boolean; madeBy: string | null }) {
  const token = randomBytes(32).toString('hex');
  const expiresAt = sql`now() + make_interval(mins => ${RESET_MINUTES})`;
  return { token, reset: { tokenHash: hash('sha256', token), expiresAt, ...from } };
}

function linkOf(domainClient: string, userId: string, token: string): string {
  return `${domainClient}/reset-password?token=${token}&userId=${userId}`;
}

export async function isResetValid({ query }: Db, claim: ResetClaim): Promise<boolean> {
  if (!isClaim(claim)) return false;
  const found = await query.select({ userId: passwordResets.userId }).from(passwordResets).where(isValid(claim));
  return found.length > 0;
}

/** Consumes a link; undefined when it is invalid or a concurrent call consumed it. */
export async function consumeReset(tx: Tx, claim: ResetClaim): Promise<{ mailed: boolean } | undefined> {
  const isTheirs = eq(passwordResets.userId, claim.userId);
  const [made] = await tx.select({ by: passwordResets.madeBy }).from(passwordResets).where(isTheirs);
  await holdMaker(tx, made?.by);
  const [reset] = await tx.delete(passwordResets).where(isValid(claim)).returning({ mailed: passwordResets.mailed });
  return reset;
}

/** Invalidates the link when the password changes in another way. */
export async function removeReset(tx: Tx, userId: string): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
}

/** Invalidates the links for others that an administrator made. */
export async function removeResetsMadeBy(tx: Tx, userId: string): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.madeBy, userId));
}

/** Removes expired links. */
export async function sweepResets({ query }: Db): Promise<void> {
  await query.delete(passwordResets).where(lte(passwordResets.expiresAt, sql`now()`));
}

function isValid({ userId, token }: ResetClaim) {
  return and(
    eq(passwordResets.userId, userId),
    eq(passwordResets.tokenHash, hash('sha256', token)),
    gt(passwordResets.expiresAt, sql`now()`),
    restsOnAdministrator(passwordResets.madeBy),
  );
}

/** Rejects malformed claims without a lookup. */
function isClaim({ userId, token }: ResetClaim): boolean {
  return Id.safeParse(userId).success && /^[\da-f]{64}$/.test(token);
}
