// Groups of people, for administrators.
import { SetAccess } from '@parley/schema/accounts/access';
import { PersonRef } from '@parley/schema/accounts/people';
import { AddMember, CreateGroup, GroupRef, ListMembers, MemberRef, RenameGroup } from '@parley/schema/accounts/groups';
import { type Budgets, BUDGETS_TOPIC } from '../../billing/budgets/budgets.ts';
import type { ModelAccess } from '../../catalog/access/model-access.ts';
import { adminProcedures } from '../admin-procedure.ts';
import { addMember, removeMember } from './change-members.ts';
import { listRules, setAccess, leaveRules } from './model-rules.ts';
import { listGroupIds, listGroups, listMembers } from './list-groups.ts';
import type { Db, Tx } from '@parley/db/client';
import { groupMembers, groups } from '@parley/db/tables/administration';
import { GROUPS_MAX } from '@parley/schema/accounts/group-rules';
import { and, eq, ne, sql } from 'drizzle-orm';
import { refuse } from '../../platform/errors.ts';
import { recordEvent, type Actor } from '../audit-events.ts';
import { assertStillAdministrator } from '../people/change-person.ts';
import { saveChange } from '../saved/change.ts';
import { refuseGone } from './hold-group.ts';

const TAKEN = { type: 'invalid_input', text: 'There is a group with this name already.' } as const;

const FULL = `There is no room for another group: a server has ${GROUPS_MAX} at most.`;

const CHANGED = 'Another administrator has changed this group meanwhile. Look at it again, and repeat your change.';

const { adminProcedure, router } = adminProcedures<{ access: ModelAccess; budgets: Budgets }>();

export const adminAccessRouter = router({
  /** Those of endpoints whose models are not for everybody. */
  list: adminProcedure.query(({ ctx }) => listRules(ctx.deps.db.query)),

  set: adminProcedure.input(SetAccess).mutation(({ ctx, input }) => setAccess(ctx.deps, ctx.actor, input)),
});

export const adminGroupsRouter = router({
  list: adminProcedure.query(({ ctx }) => listGroups(ctx.deps.db)),

  create: adminProcedure.input(CreateGroup).mutation(({ ctx, input }) => createGroup(ctx.deps, ctx.actor, input.name)),

  rename: adminProcedure.input(RenameGroup).mutation(({ ctx, input }) => renameGroup(ctx.deps, ctx.actor, input)),

  remove: adminProcedure.input(GroupRef).mutation(({ ctx, input }) => removeGroup(ctx.deps, ctx.actor, input)),

  members: adminProcedure.input(ListMembers).query(({ ctx, input }) => listMembers(ctx.deps.db, input)),

  addMember: adminProcedure.input(AddMember).mutation(({ ctx, input }) => addMember(ctx.deps, ctx.actor, input)),

  removeMember: adminProcedure.input(MemberRef).mutation(({ ctx, input }) => removeMember(ctx.deps, ctx.actor, input)),

  /** The ids of the groups of a person. */
  of: adminProcedure.input(PersonRef).query(({ ctx, input }) => listGroupIds(ctx.deps.db.query, input.userId)),
});

// Makes, renames and removes groups. Each change and its event are one transaction.
interface From {
  db: Db;
}

/** @throws Refusal `invalid_input` for a name that is taken, or when there are too many */
async function createGroup({ db }: From, actor: Actor, name: string): Promise<{ id: string }> {
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
async function renameGroup(
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
function removeGroup(
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
