// Tests of this room: tests/unit/auth, tests/integration/auth, tests/e2e/auth.

// There is always somebody who administers a server.
import type { Query, Tx } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { isActive } from '@parley/db/user-rows';
import { and, eq, isNull, ne, sql, type SQL } from 'drizzle-orm';
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

/**
 * Whether what names its maker in this column still rests on a right: the maker is an active administrator, or it was
 * made by a command of the operator, which names nobody. Of a row whose query does not read `users`.
 */
export function restsOnAdministrator(maker: AnyPgColumn): SQL<boolean> {
  return sql<boolean>`(${maker} is null or exists (
    select 1 from ${users} where ${users.id} = ${maker} and ${users.role} = 'ADMIN' and ${isActive}))`;
}

/**
 * Keeps this account as it is until the transaction ends: who is losing the role at this moment is waited for. Take it
 * before the row that rests on it.
 */
export async function holdMaker(tx: Query, userId: string | null | undefined): Promise<void> {
  if (userId) await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('share');
}
