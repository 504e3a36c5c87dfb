// Puts people into groups and takes them out. Each change and its event are one transaction.
import { notifyAtCommit, type Tx, type Db } from '@parley/db/client';
import { groupMembers } from '@parley/db/tables/administration';
import { users } from '@parley/db/tables/users';
import type { AddMember, MemberRef } from '@parley/schema/accounts/groups';
import { and, eq, ne, sql } from 'drizzle-orm';
import { BUDGETS_TOPIC, type Budgets } from '../../billing/budgets/budgets.ts';
import { MEMBER, type ModelAccess } from '../../catalog/access/model-access.ts';
import { refuse } from '../../platform/errors.ts';
import { recordEvent, type Actor } from '../audit-events.ts';
import { assertStillAdministrator, personDetails } from '../people/change-person.ts';
import { holdGroup } from './hold-group.ts';

/** What this process keeps in memory. */
export interface Memory {
  access: Pick<ModelAccess, 'forget'>;
  budgets: Pick<Budgets, 'reload'>;
}

type From = { db: Db } & Memory;

/** People who are in it stay in it. @throws Refusal `invalid_input` without such an account, `conflict` without the group */
export async function addMember(deps: From, actor: Actor | null, input: AddMember): Promise<null> {
  const { groupId } = input;
  const added = await deps.db.query.transaction(async (tx) => {
    await assertStillAdministrator(tx, actor);
    const group = await holdGroup(tx, groupId);
    const isThem = 'userId' in input ? eq(users.id, input.userId) : eq(sql`lower(${users.email})`, input.email);
    const [person] = await tx.select().from(users).where(isThem);
    if (!person) return refuse({ type: 'invalid_input', text: 'There is no account with this e-mail address.' });
    const { id: userId } = person;
    // Whom a sign-in site put into it stays, whatever that site says later.
    const put = await tx
      .insert(groupMembers)
      .values({ groupId, userId })
      .onConflictDoUpdate({
        target: [groupMembers.groupId, groupMembers.userId],
        set: { source: 'admin' },
        setWhere: ne(groupMembers.source, 'admin'),
      })
      .returning();
    if (put.length === 0) return null;
    const details = { ...personDetails(person), group };
    await recordEvent(tx, actor, { event: 'group.member_added', userId, details });
    tellOfMember(tx, userId);
    return userId;
  });
  if (added) await followMember(deps, added);
  return null;
}

/** Anyone who is not in it is no fault. */
export async function removeMember(deps: From, actor: Actor | null, { groupId, userId }: MemberRef): Promise<null> {
  await deps.db.query.transaction(async (tx) => {
    await assertStillAdministrator(tx, actor);
    const group = await holdGroup(tx, groupId);
    const removed = await tx
      .delete(groupMembers)
      .where(and(eq(groupMembers.groupId, groupId), eq(groupMembers.userId, userId)))
      .returning();
    const [person] = await tx.select().from(users).where(eq(users.id, userId));
    if (removed.length === 0 || !person) return;
    const details = { ...personDetails(person), group };
    await recordEvent(tx, actor, { event: 'group.member_removed', userId, details });
    tellOfMember(tx, userId);
  });
  await followMember(deps, userId);
  return null;
}

/** The other processes. */
export function tellOfMember(tx: Tx, userId: string): void {
  notifyAtCommit(tx, `${MEMBER}${userId}`);
  notifyAtCommit(tx, BUDGETS_TOPIC);
}

/** This process need not wait for the notification. */
export async function followMember({ access, budgets }: Memory, userId: string): Promise<void> {
  access.forget(userId);
  await budgets.reload();
}
