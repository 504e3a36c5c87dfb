// Two-step sign-in by an authenticator app or passkeys: who has it.
import type { Db, Query } from '@parley/db/client';
import { factors } from '@parley/db/tables/users';
import type { FactorStatus } from '@parley/schema/accounts/factors';
import type { FactorKind } from '@parley/schema/reasons';
import { and, asc, eq, isNotNull } from 'drizzle-orm';
import type { KeyOwner } from '../../keys/encryption.ts';
import { isoTime } from '../../platform/iso-time.ts';
import { countRecoveryCodes, removeRecoveryCodes } from './recovery-codes.ts';

export type FactorRow = typeof factors.$inferSelect;

export async function factorStatus({ query }: Db, userId: string): Promise<FactorStatus> {
  const [rows, recoveryCodesLeft] = await Promise.all([listFactors(query, userId), countRecoveryCodes(query, userId)]);
  const app = rows.find(({ kind }) => kind === 'totp');
  return {
    app: app ? { id: app.id, since: isoTime(app.confirmedAt ?? app.createdAt) } : null,
    passkeys: rows
      .filter(({ kind }) => kind === 'passkey')
      .map(({ id, name, createdAt, lastUsedAt }) => ({
        id,
        name,
        createdAt: isoTime(createdAt),
        lastUsedAt: lastUsedAt && isoTime(lastUsedAt),
      })),
    recoveryCodesLeft,
  };
}

/** The confirmed ones, from the first that was added. */
export function listFactors(query: Query, userId: string): Promise<FactorRow[]> {
  return query
    .select()
    .from(factors)
    .where(and(eq(factors.userId, userId), isNotNull(factors.confirmedAt)))
    .orderBy(asc(factors.confirmedAt), asc(factors.id));
}

export function factorKinds(rows: readonly Pick<FactorRow, 'kind'>[]): FactorKind[] {
  return [...new Set(rows.map(({ kind }) => kind))];
}

export function factorOwner(userId: string, id: string): KeyOwner {
  return { userId, name: `factor:${id}` };
}

/** Whether there was one. The password alone signs in then. */
export async function removeFactors(tx: Query, userId: string): Promise<boolean> {
  const removed = await tx.delete(factors).where(eq(factors.userId, userId)).returning({ at: factors.confirmedAt });
  await removeRecoveryCodes(tx, userId);
  return removed.some(({ at }) => at !== null);
}
