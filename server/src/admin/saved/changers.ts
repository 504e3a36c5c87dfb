import type { Db } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { inArray } from 'drizzle-orm';

/** The names of the administrators who changed these rows last, by their ids. */
export async function readChangers(
  { query }: Db,
  stored: readonly { changedBy: string | null }[],
): Promise<Map<string, string>> {
  const ids = stored.flatMap(({ changedBy }) => changedBy ?? []);
  if (ids.length === 0) return new Map();
  const rows = await query
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, ids));
  return new Map(rows.map(({ id, name, email }) => [id, name || email]));
}
