// Groups and who is in them.
import type { Db, Query } from '@parley/db/client';
import { groupMembers, groups } from '@parley/db/tables/administration';
import { budgets } from '@parley/db/tables/balances';
import { users } from '@parley/db/tables/users';
import type { GroupRow, MembersPage } from '@parley/schema/accounts/group-rules';
import { and, eq, sql } from 'drizzle-orm';
import { endpointsByGroup } from './model-rules.ts';

const PAGE_SIZE = 50;

/** By their names. */
export async function listGroups({ query }: Db): Promise<GroupRow[]> {
  const rows = await query
    .select({
      id: groups.id,
      name: groups.name,
      version: groups.version,
      members: sql<number>`(select count(*)::int from ${groupMembers} where ${groupMembers.groupId} = ${groups}.id)`,
      budgets: sql<number>`(select count(*)::int from ${budgets} where ${budgets.groupId} = ${groups}.id)`,
    })
    .from(groups)
    .orderBy(sql`lower(${groups.name})`);
  const endpoints = await endpointsByGroup(query);
  return rows.map((row) => ({ ...row, endpoints: endpoints.get(row.id) ?? [] }));
}

/** In the order of their addresses. */
export async function listMembers(
  { query }: Db,
  { groupId, cursor }: { groupId: string; cursor?: string | null | undefined },
): Promise<MembersPage> {
  const address = sql<string>`lower(${users.email})`;
  const rows = await query
    .select({ userId: users.id, name: users.name, email: users.email })
    .from(groupMembers)
    .innerJoin(users, eq(users.id, groupMembers.userId))
    .where(and(eq(groupMembers.groupId, groupId), cursor ? sql`${address} > ${cursor}` : undefined))
    .orderBy(address)
    .limit(PAGE_SIZE + 1);
  const members = rows.slice(0, PAGE_SIZE);
  return { members, next: rows.length > PAGE_SIZE ? (members.at(-1)?.email.toLowerCase() ?? null) : null };
}

/** The ids of the groups that a person is in. */
export async function listGroupIds(query: Query, userId: string): Promise<string[]> {
  const rows = await query
    .select({ id: groupMembers.groupId })
    .from(groupMembers)
    .where(eq(groupMembers.userId, userId));
  return rows.map(({ id }) => id);
}
