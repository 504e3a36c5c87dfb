// There is always somebody who administers a server.
import type { Tx } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { and, eq, isNull, ne, sql } from 'drizzle-orm';
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
  if (!(await isAdministered(tx))) refuse({ type: 'last_administrator' });
}

/** Whether there is an administrator beside this person. Call it under the lock. */
export async function isAdministered(tx: Tx, exceptId?: string): Promise<boolean> {
  const isOther = exceptId === undefined ? undefined : ne(users.id, exceptId);
  const [someone] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'ADMIN'), eq(users.state, 'active'), isNull(users.deletionDueAt), isOther))
    .limit(1);
  return someone !== undefined;
}
