// Sensitive changes need a recent proof of who asks: a person who finds an open session cannot take the account. A session
// is elevated for some minutes by its sign-in, and by proving it again.
import type { Query } from '@parley/db/client';
import { sessions, users } from '@parley/db/tables/users';
import type { StepUpBy } from '@parley/schema/reasons';
import { and, eq, gt, sql } from 'drizzle-orm';
import { refuse } from '../../platform/errors.ts';
import { factorKinds, listFactors } from '../factors/factors.ts';
import type { AuthSession } from '../../platform/requests/auth-session.ts';
import { ELEVATED_MS } from '../session/sessions.ts';
import { DIRECTORY } from '../ldap/directory-password.ts';

/** `sign_in`: having signed in just now suffices; `step_up`: it does not; `both`: the password and a factor. */
export type Elevation = NonNullable<(typeof sessions.$inferSelect)['elevatedBy']>;

/** From the weakest. */
const RANKS: readonly Elevation[] = ['sign_in', 'step_up', 'both'];

/**
 * What somebody can prove: neither for an account of another site without a second factor, which is asked for nothing.
 * The password of an account of the directory is there.
 */
export async function provable(query: Query, userId: string) {
  const columns = { passwordHash: users.passwordHash, provider: users.provider };
  const [[user], factors] = await Promise.all([
    query.select(columns).from(users).where(eq(users.id, userId)),
    listFactors(query, userId),
  ]);
  const passwordHash = user?.passwordHash ?? null;
  return {
    passwordHash,
    hasPassword: passwordHash !== null || user?.provider === DIRECTORY,
    kinds: factorKinds(factors),
  };
}

/** @throws Refusal `step_up_needed` */
export async function assertElevated(query: Query, by: AuthSession, needed: Elevation = 'sign_in'): Promise<void> {
  if (await isElevated(query, by, needed)) return;
  const { hasPassword, kinds } = await provable(query, by.userId);
  if (kinds.length === 0 && !hasPassword) return;
  const factorToo: StepUpBy = needed === 'both' && hasPassword ? 'both' : 'factor';
  refuse({ type: 'step_up_needed', by: kinds.length === 0 ? 'password' : factorToo, kinds });
}

/** Asks only who has a second factor. @throws Refusal `step_up_needed` */
export async function assertElevatedByFactor(query: Query, by: AuthSession): Promise<void> {
  if ((await listFactors(query, by.userId)).length > 0) await assertElevated(query, by);
}

export async function elevate(query: Query, by: AuthSession, elevatedBy: Elevation): Promise<void> {
  const elevatedUntil = sql`now() + make_interval(secs => ${ELEVATED_MS / 1000})`;
  await query.update(sessions).set({ elevatedUntil, elevatedBy }).where(isOf(by));
}

async function isElevated(query: Query, by: AuthSession, needed: Elevation): Promise<boolean> {
  const rows = await query
    .select({ elevatedBy: sessions.elevatedBy })
    .from(sessions)
    .where(and(isOf(by), gt(sessions.elevatedUntil, sql`now()`)));
  return rows.some(({ elevatedBy }) => elevatedBy && RANKS.indexOf(elevatedBy) >= RANKS.indexOf(needed));
}

function isOf({ userId, sid }: AuthSession) {
  return and(eq(sessions.family, sid), eq(sessions.userId, userId));
}
