// Conditions on rows of users and their lock, for queries of every domain.
import { eq, sql, type SQL } from 'drizzle-orm';
import type { Query, Tx } from './client.ts';
import { factors, users } from './tables/users.ts';

/** Neither banned nor disabled, and not waiting for approval: anyone who is one of these has no live session. */
export const hasAccess = sql`(${users.state} = 'active' and coalesce(${users.bannedUntil} <= now(), true))`;

/** Has access, and is not about to be deleted. */
export const isActive = sql`(${users.deletionDueAt} is null and ${hasAccess})`;

/** Whom the operator asks for a second factor: administrators, everybody or nobody. */
export type FactorPolicy = 'admins' | 'all' | null;

/** Lacks the second factor that the operator or the account asks for. For a row that is joined with another table. */
export function lacksFactor(policy: FactorPolicy): SQL<boolean> {
  const none = sql<boolean>`not exists (select 1 from ${factors} where ${factors.userId} = ${users.id} and ${factors.confirmedAt} is not null)`;
  if (policy === 'all') return none;
  // Where nobody is asked, the column of the row that is read anyway decides without a look at the factors.
  if (policy === null) return sql<boolean>`(${users.mustAddFactor} and ${none})`;
  return sql<boolean>`((${users.mustAddFactor} or ${users.role} = 'ADMIN') and ${none})`;
}

/** Serialises with all other changes of the user, which also wait for the lock on the user's row. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

/** A transaction that holds this lock from its beginning. */
export function withUserLock<T>(query: Query, userId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return query.transaction(async (tx) => {
    await lockUser(tx, userId);
    return work(tx);
  });
}
