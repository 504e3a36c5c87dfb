// Whom the operator asks for a second factor (REQUIRE_SECOND_FACTOR), and people who came from an installation where they had
// one that could not be brought along. Until they have one, their sessions open nothing but the way to it, and their keys
// open nothing.
import type { Query } from '@parley/db/client';
import type { FactorPolicy } from '@parley/db/user-rows';
import type { UserRow } from '../users.ts';
import { listFactors } from './factors.ts';

export function isFactorRequired(policy: FactorPolicy, { role }: Pick<UserRow, 'role'>): boolean {
  return policy === 'all' || (policy === 'admins' && role === 'ADMIN');
}

/** Reads nothing where nobody is asked. */
export async function mustAddFactor(
  query: Query,
  policy: FactorPolicy,
  user: Pick<UserRow, 'id' | 'role' | 'mustAddFactor'>,
): Promise<boolean> {
  return (user.mustAddFactor || isFactorRequired(policy, user)) && (await listFactors(query, user.id)).length === 0;
}
