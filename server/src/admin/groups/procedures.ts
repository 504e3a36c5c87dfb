// Groups of people, for administrators.
import { SetAccess } from '@parley/schema/accounts/access';
import { PersonRef } from '@parley/schema/accounts/people';
import { AddMember, CreateGroup, GroupRef, ListMembers, MemberRef, RenameGroup } from '@parley/schema/accounts/groups';
import type { Budgets } from '../../billing/budgets/budgets.ts';
import type { ModelAccess } from '../../catalog/access/model-access.ts';
import { adminProcedures } from '../admin-procedure.ts';
import { createGroup, removeGroup, renameGroup } from './change-group.ts';
import { addMember, removeMember } from './change-members.ts';
import { listRules, setAccess } from './model-rules.ts';
import { listGroupIds, listGroups, listMembers } from './list-groups.ts';

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
