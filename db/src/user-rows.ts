// Conditions on rows of users and their lock, for queries of every domain.
import { eq, sql } from 'drizzle-orm';
import type { Tx } from './client.ts';
import { users } from './tables/users.ts';

/** Neither banned nor disabled, and not waiting for approval: whoever is one of these has no live session. */
export const hasAccess = sql`(${users.state} = 'active' and coalesce(${users.bannedUntil} <= now(), true))`;

/** Has access, and is not about to be deleted. */
export const isActive = sql`(${users.deletionDueAt} is null and ${hasAccess})`;

/** Serialises with all other changes of the user, which also wait for the lock on the user's row. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}
