// The budgets of this server, for administrators. Each change and its event are one transaction.
import type { Query, Db } from '@parley/db/client';
import { groups } from '@parley/db/tables/administration';
import { budgets, usageDays, usageTotals } from '@parley/db/tables/balances';
import { users } from '@parley/db/tables/users';
import type { BudgetRow } from '@parley/schema/accounts/usage';
import type { SetBudget } from '@parley/schema/accounts/usage-inputs';
import { and, asc, eq, gte, isNull, sql } from 'drizzle-orm';
import { isMember } from '../../billing/budgets/budget-left.ts';
import { BUDGETS_TOPIC, type Budgets } from '../../billing/budgets/budgets.ts';
import { startOfPeriod } from '../../billing/budgets/periods.ts';
import { refuse } from '../../platform/errors.ts';
import { gatherUsage } from '../../usage/gather.ts';
import type { Actor } from '../audit-events.ts';
import { holdGroup } from '../groups/hold-group.ts';
import { saveChange } from '../saved/change.ts';

type From = { db: Db; budgets: Budgets };
type Budget = typeof budgets.$inferSelect;

/** That of all together first, then that of each person, those of groups by their names and of people by their addresses. */
export async function listBudgets({ db }: From, now = new Date()): Promise<BudgetRow[]> {
  await gatherUsage(db);
  const rows = await db.query
    .select({ budget: budgets, name: users.name, email: users.email, group: groups.name })
    .from(budgets)
    .leftJoin(users, eq(users.id, budgets.userId))
    .leftJoin(groups, eq(groups.id, budgets.groupId))
    .orderBy(asc(budgets.scope), sql`lower(${groups.name})`, sql`lower(${users.email})`, asc(budgets.period));
  return Promise.all(
    rows.map(async ({ budget, name, email, group }) => ({
      id: budget.id,
      scope: budget.scope,
      person: email === null ? null : { name: name ?? '', email },
      group: budget.groupId === null ? null : { id: budget.groupId, name: group ?? '' },
      period: budget.period,
      credits: budget.credits,
      version: budget.version,
      spent: await spentOf(db.query, budget, now),
    })),
  );
}

async function spentOf(query: Query, { scope, userId, groupId, period }: Budget, now: Date): Promise<number | null> {
  if (scope === 'each') return null;
  const since = startOfPeriod(period, now);
  const isTheirs = groupId === null ? userId && eq(usageDays.userId, userId) : isMember(groupId);
  const [row] = isTheirs
    ? await query
        .select({ credits: sum(usageDays) })
        .from(usageDays)
        .where(and(isTheirs, gte(usageDays.day, since)))
    : await query
        .select({ credits: sum(usageTotals) })
        .from(usageTotals)
        .where(gte(usageTotals.day, since));
  return row?.credits ?? 0;
}

function sum(table: typeof usageDays | typeof usageTotals) {
  return sql<number>`coalesce(sum(${table.credits}), 0)::float8`;
}

/**
 * @throws Refusal `invalid_input` where there is no such person, `conflict` when somebody else has changed it or removed
 * the group
 */
export function setBudget({ db, budgets: { reload } }: From, actor: Actor, input: SetBudget): Promise<null> {
  const { scope, email, groupId = null, period, credits, version } = input;
  return saveChange({ db, topic: BUDGETS_TOPIC, reload }, actor, async (tx) => {
    const person = email === undefined ? null : await personBy(tx, email);
    const group = groupId === null ? null : await holdGroup(tx, groupId);
    const userId = person?.id ?? null;
    const changed = { credits, changedBy: actor.id, changedAt: sql`now()` };
    const isIt = and(
      eq(budgets.scope, scope),
      userId === null ? isNull(budgets.userId) : eq(budgets.userId, userId),
      groupId === null ? isNull(budgets.groupId) : eq(budgets.groupId, groupId),
      eq(budgets.period, period),
    );
    const saved =
      version === null
        ? await tx
            .insert(budgets)
            .values({ scope, userId, groupId, period, ...changed })
            .onConflictDoNothing()
            .returning()
        : await tx
            .update(budgets)
            .set({ ...changed, version: version + 1 })
            .where(and(isIt, eq(budgets.version, version)))
            .returning();
    if (saved.length === 0) refuse({ type: 'conflict', text: version === null ? THERE : CHANGED });
    const whose = { ...(person && { name: person.name, email: person.email }), ...(group !== null && { group }) };
    const details = { scope, period, credits, ...whose };
    return { event: 'budget.set', ...(userId && { userId }), details };
  });
}

/** @throws Refusal `conflict` */
export function removeBudget(
  { db, budgets: { reload } }: From,
  actor: Actor,
  { id, version }: { id: string; version: number },
): Promise<null> {
  return saveChange({ db, topic: BUDGETS_TOPIC, reload }, actor, async (tx) => {
    const [removed] = await tx
      .delete(budgets)
      .where(and(eq(budgets.id, id), eq(budgets.version, version)))
      .returning();
    if (!removed) refuse({ type: 'conflict', text: CHANGED });
    const { scope, period, userId, groupId } = removed;
    const [person] = userId ? await tx.select().from(users).where(eq(users.id, userId)) : [];
    const [group] = groupId ? await tx.select().from(groups).where(eq(groups.id, groupId)) : [];
    const whose = { ...(person && { name: person.name, email: person.email }), ...(group && { group: group.name }) };
    const details = { scope, period, ...whose };
    return { event: 'budget.removed', ...(userId && { userId }), details };
  });
}

async function personBy(tx: Query, email: string) {
  const [person] = await tx
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  return person ?? refuse({ type: 'invalid_input', text: 'There is no account with this e-mail address.' });
}

const THERE = 'There is such a budget already. What is set now is shown.';
const CHANGED = 'Another administrator has changed this budget meanwhile. Look at it again, and repeat your change.';
