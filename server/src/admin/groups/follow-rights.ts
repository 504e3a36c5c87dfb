// What a sign-in site or the directory says about a person: which groups they are in, and whether they administer this server. At each
// sign-in this is made so, in one transaction with its events. Whom administrators put into a group stays in it.
import type { Logger } from 'pino';
import { notifyAtCommit, type Tx, type Db } from '@parley/db/client';
import { groupMembers, groups } from '@parley/db/tables/administration';
import { users } from '@parley/db/tables/users';
import { GROUPS_MAX } from '@parley/schema/accounts/group-rules';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { endCapabilities } from '../../auth/capabilities.ts';
import { isAdministered, lockAdministrators } from '../../auth/administrators.ts';
import type { RightsSource } from '../../auth/oauth/identity-provider.ts';
import { assertUser, type UserRow } from '../../auth/users.ts';
import { MEMBER, type ModelAccess } from '../../catalog/access/model-access.ts';
import { recordEvent } from '../audit-events.ts';
import { personDetails } from '../people/change-person.ts';
import { followMember, tellOfMember } from './change-members.ts';
import type { Budgets } from '../../billing/budgets/budgets.ts';
import type { Rights } from '../../config/parts/sign-in-sites.ts';

type From = { db: Db; access: ModelAccess; budgets: Budgets; log: Logger };
type Person = Pick<UserRow, 'id' | 'name' | 'email'>;

interface Naming {
  named: readonly string[];
  by: RightsSource;
}

/** Who puts people into groups, as the rows of their members have it. */
const SOURCES = { openid: 'oidc', ldap: 'ldap' } as const satisfies Record<RightsSource, string>;

export async function followRights(
  deps: From,
  user: UserRow,
  { isAdmin, groups: named }: Rights,
  by: RightsSource,
): Promise<void> {
  const isOther = isAdmin !== undefined && isAdmin !== (user.role === 'ADMIN');
  if (!isOther && !named) return;
  const isChanged = await deps.db.query.transaction(async (tx) => {
    if (isOther) await lockAdministrators(tx);
    const hasNewRole = isOther && (await followRole(tx, user.id, isAdmin, by));
    const hasNewGroups = named !== undefined && (await followGroups(tx, deps, user, { named, by }));
    if (hasNewGroups) tellOfMember(tx, user.id);
    return hasNewRole || hasNewGroups;
  });
  if (isChanged) await followMember(deps, user.id);
}

/** The last administrator stays one. Whether the role is another now. */
async function followRole(tx: Tx, userId: string, isAdmin: boolean, by: RightsSource): Promise<boolean> {
  const person = await assertUser({ query: tx }, userId);
  const role = isAdmin ? 'ADMIN' : 'USER';
  if (person.role === role || (!isAdmin && !(await isAdministered(tx, userId)))) return false;
  await tx
    .update(users)
    .set({ role, updatedAt: sql`now()` })
    .where(eq(users.id, userId));
  if (!isAdmin) await endCapabilities(tx, userId, 'demoted');
  await recordEvent(tx, null, {
    event: 'person.role_changed',
    userId,
    details: { ...personDetails(person), role, by },
  });
  notifyAtCommit(tx, `${MEMBER}${userId}`);
  return true;
}

/** Whether this person is in other groups now. */
async function followGroups(tx: Tx, { log }: From, person: Person, { named, by }: Naming): Promise<boolean> {
  const wanted = await findOrMake(tx, { log }, { named, by });
  const source = SOURCES[by];
  const isTheirs = eq(groupMembers.userId, person.id);
  const before = await tx
    .select({ id: groups.id, name: groups.name })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .where(and(isTheirs, eq(groupMembers.source, source)));
  const left = before.filter(({ id }) => !wanted.some((group) => group.id === id));
  const leftIds = left.map(({ id }) => id);
  if (left.length > 0) await tx.delete(groupMembers).where(and(isTheirs, inArray(groupMembers.groupId, leftIds)));
  const rows = wanted.map(({ id }) => ({ groupId: id, userId: person.id, source }));
  const put = rows.length === 0 ? [] : await tx.insert(groupMembers).values(rows).onConflictDoNothing().returning();
  const joined = wanted.filter(({ id }) => put.some(({ groupId }) => groupId === id));
  const details = { ...personDetails(person), by };
  for (const { name: group } of left)
    await recordEvent(tx, null, {
      event: 'group.member_removed',
      userId: person.id,
      details: { ...details, group },
    });
  for (const { name: group } of joined)
    await recordEvent(tx, null, { event: 'group.member_added', userId: person.id, details: { ...details, group } });
  return left.length + joined.length > 0;
}

/** The groups of these names, which nobody removes until the transaction ends. Those that are missing are made. */
async function findOrMake(tx: Tx, { log }: Pick<From, 'log'>, { named, by }: Naming): Promise<Named[]> {
  const known = await find(tx, named);
  const isKnown = new Set(known.map(({ name }) => name.toLowerCase()));
  // In one order: two sign-ins at once would else wait for each other.
  const missing = named.filter((name) => !isKnown.has(name.toLowerCase())).toSorted();
  if (missing.length === 0) return known;
  const room = Math.max(0, GROUPS_MAX - (await tx.$count(groups)));
  if (missing.length > room) log.warn({ event: 'groups.full', missing: missing.length }, FULL);
  for (const name of missing.slice(0, room)) {
    const made = await tx.insert(groups).values({ name }).onConflictDoNothing().returning();
    if (made.length > 0) await recordEvent(tx, null, { event: 'group.created', details: { name, by } });
  }
  return find(tx, named);
}

type Named = Pick<typeof groups.$inferSelect, 'id' | 'name'>;

async function find(tx: Tx, named: readonly string[]): Promise<Named[]> {
  if (named.length === 0) return [];
  const names = sql.join(
    named.map((name) => sql`lower(${name}::text)`),
    sql`, `,
  );
  return tx
    .select({ id: groups.id, name: groups.name })
    .from(groups)
    .where(sql`lower(${groups.name}) in (${names})`)
    .for('key share');
}

const FULL = `A sign-in names more groups than there is room for: a server has ${GROUPS_MAX} at most. OPENID_GROUPS and LDAP_GROUPS say which ones count.`;
