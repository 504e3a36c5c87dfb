// Budgets that administrators set: what a person, each person, a group or all together may spend in a day or a month. They hold
// in the transaction that begins an ask, whether or not anybody has a balance.
import type { Db, Query, Tx } from '@parley/db/client';
import { groupMembers } from '@parley/db/tables/administration';
import { budgets } from '@parley/db/tables/balances';
import { generations } from '@parley/db/tables/generations';
import { withUserLock } from '@parley/db/user-rows';
import type { Reason } from '@parley/schema/reasons';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { RunningKey } from '../balances.ts';
import { budgetsLeft, tightestBudget, type BudgetLeft } from './budget-left.ts';

/** Told when an administrator has changed a budget, or who is in a group. */
export const BUDGETS_TOPIC = 'settings:budgets';

/** What a run got, and the budget that had no more for it. */
interface Extension {
  credits: number;
  limit: BudgetLeft | null;
}

export interface Budgets {
  /** Says whether a budget applies to this person, as far as this process knows. Reads nothing. */
  concern(userId: string): boolean;
  /** All that hold for this person; their rows stay locked. The transaction holds the lock on the user's row. */
  lockAll(tx: Tx, userId: string): Promise<BudgetLeft[]>;
  /** All that hold for this person, for a look. */
  left(query: Query, userId: string): Promise<BudgetLeft[]>;
  /** Lets a run spend up to this many more credits: none once it has ended or belongs to another owner. */
  extend(run: RunningKey, credits: number): Promise<Extension>;
  /** Reads which there are. */
  reload(): Promise<void>;
}

export function createBudgets(db: Db, now: () => Date = () => new Date()): Budgets {
  /** Null until they are read: then one may hold for anybody. */
  let known: { isForEverybody: boolean; people: ReadonlySet<string> } | null = null;
  return { concern, lockAll, left, extend, reload };

  function concern(userId: string): boolean {
    return !known || known.isForEverybody || known.people.has(userId);
  }

  function lockAll(tx: Tx, userId: string): Promise<BudgetLeft[]> {
    return budgetsLeft(tx, userId, { now: now(), isLocking: true });
  }

  function left(query: Query, userId: string): Promise<BudgetLeft[]> {
    return budgetsLeft(query, userId, { now: now(), isLocking: false });
  }

  async function extend({ userId, owner, generationId }: RunningKey, wanted: number): Promise<Extension> {
    return withUserLock(db.query, userId, async (tx) => {
      const limit = tightestBudget(await lockAll(tx, userId));
      const credits = Math.min(wanted, limit?.left ?? wanted);
      const extended = await tx
        .update(generations)
        .set({ budgeted: sql`coalesce(${generations.budgeted}, 0) + ${credits}` })
        .where(and(eq(generations.id, generationId), eq(generations.owner, owner), isNull(generations.endedAt)))
        .returning({ id: generations.id });
      return extended.length > 0 ? { credits, limit: credits < wanted ? limit : null } : { credits: 0, limit: null };
    });
  }

  async function reload(): Promise<void> {
    const rows = await db.query
      .select({ userId: sql<string | null>`coalesce(${budgets.userId}, ${groupMembers.userId})`, scope: budgets.scope })
      .from(budgets)
      .leftJoin(groupMembers, eq(groupMembers.groupId, budgets.groupId));
    known = {
      isForEverybody: rows.some(({ scope }) => scope === 'each' || scope === 'all'),
      people: new Set(rows.flatMap(({ userId }) => userId ?? [])),
    };
  }
}

export function budgetReason({ scope, period, credits, left, renewsAt }: BudgetLeft): Reason {
  return { type: 'budget', scope, period, budget: credits, left, renewsAt };
}
