// Makes, renames and removes groups. Each change and its event are one transaction.
import type { Db, Tx } from '@parley/db/client';
import { groupMembers, groups } from '@parley/db/tables/administration';
import { GROUPS_MAX } from '@parley/schema/accounts/group-rules';
import { and, eq, ne, sql } from 'drizzle-orm';
import { BUDGETS_TOPIC, type Budgets } from '../../billing/budgets/budgets.ts';
import { refuse } from '../../platform/errors.ts';
import { recordEvent, type Actor } from '../audit-events.ts';
import { assertStillAdministrator } from '../people/change-person.ts';
import { saveChange } from '../saved/change.ts';
import { leaveRules } from './model-rules.ts';
import { refuseGone } from './hold-group.ts';
import type { ModelAccess } from '../../catalog/access/model-access.ts';

interface From {
  db: Db;
}

/** @throws Refusal `invalid_input` for a name that is taken, or when there are too many */
export async function createGroup({ db }: From, actor: Actor, name: string): Promise<{ id: string }> {
  return db.query.transaction(async (tx) => {
    await assertStillAdministrator(tx, actor);
    await assertFree(tx, name, null);
    if ((await tx.$count(groups)) >= GROUPS_MAX) refuse({ type: 'conflict', text: FULL });
    const [made] = await tx.insert(groups).values({ name }).onConflictDoNothing().returning({ id: groups.id });
    await recordEvent(tx, actor, { event: 'group.created', details: { name } });
    return made ?? refuse(TAKEN);
  });
}

/** @throws Refusal `invalid_input` for a name that is taken, `conflict` when somebody else has changed it */
export async function renameGroup(
  { db }: From,
  actor: Actor,
  { id, version, name }: { id: string; version: number; name: string },
): Promise<null> {
  await db.query.transaction(async (tx) => {
    await assertStillAdministrator(tx, actor);
    const { name: before } = await lockGroup(tx, id, version);
    if (before === name) return;
    await assertFree(tx, name, id);
    await tx
      .update(groups)
      .set({ name, version: version + 1 })
      .where(eq(groups.id, id));
    await recordEvent(tx, actor, { event: 'group.renamed', details: { name, before } });
  });
  return null;
}

/** With its budgets and its place in rules; its members keep their accounts. @throws Refusal `conflict` */
export function removeGroup(
  { db, access, budgets }: { db: Db; access: ModelAccess; budgets: Budgets },
  actor: Actor,
  { id, version }: { id: string; version: number },
): Promise<null> {
  const reload = () => Promise.all([access.reload(), budgets.reload()]);
  return saveChange({ db, topic: BUDGETS_TOPIC, reload }, actor, async (tx) => {
    const { name } = await lockGroup(tx, id, version);
    const members = await tx.$count(groupMembers, eq(groupMembers.groupId, id));
    await leaveRules(tx, id);
    await tx.delete(groups).where(eq(groups.id, id));
    return { event: 'group.removed', details: { name, members } };
  });
}

async function lockGroup(tx: Tx, id: string, version: number): Promise<typeof groups.$inferSelect> {
  const [row] = await tx.select().from(groups).where(eq(groups.id, id)).for('update');
  if (!row) return refuseGone();
  return row.version === version ? row : refuse({ type: 'conflict', text: CHANGED });
}

/** Two that are made at once meet in the unique index. */
async function assertFree(tx: Tx, name: string, exceptId: string | null): Promise<void> {
  const isOther = exceptId === null ? undefined : ne(groups.id, exceptId);
  const isTaken = await tx.$count(groups, and(eq(sql`lower(${groups.name})`, sql`lower(${name})`), isOther));
  if (isTaken > 0) refuse(TAKEN);
}

const TAKEN = { type: 'invalid_input', text: 'There is a group with this name already.' } as const;
const FULL = `There is no room for another group: a server has ${GROUPS_MAX} at most.`;
const CHANGED = 'Another administrator has changed this group meanwhile. Look at it again, and repeat your change.';
