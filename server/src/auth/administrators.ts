// There is always somebody who administers a server.
import type { Tx } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';

/**
 * Holds until the transaction ends. Whatever may take an administrator away has it, so that of two who do it at once the
 * second sees what the first did. Take it first.
 */
export async function lockAdministrators(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('administrators', 0))`);
}

/** Call it after the change, under the lock. @throws Refusal `last_administrator` */
export async function assertAdministratorLeft(tx: Tx): Promise<void> {
  const [someone] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'ADMIN'), eq(users.state, 'active'), isNull(users.deletionDueAt)))
    .limit(1);
  if (!someone) refuse({ type: 'last_administrator' });
}
