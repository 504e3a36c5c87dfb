// How much of the budgets is left. What has been spent is read from what is counted and from the runs themselves, so
// there is no second book that could differ.
import type { Query } from '@parley/db/client';
import { groupMembers } from '@parley/db/tables/administration';
import { budgets } from '@parley/db/tables/balances';
import type { BudgetPeriod, BudgetScope } from '@parley/schema/reasons';
import { sql, type SQL } from 'drizzle-orm';
import { renewal, startOfPeriod } from './periods.ts';

export interface BudgetLeft {
  scope: BudgetScope;
  period: BudgetPeriod;
  /** The whole budget. */
  credits: number;
  /** Never below 0. What runs have reserved is not left. */
  left: number;
  /** What has been spent, without what is reserved. */
  spent: number;
  /** An ISO date. */
  renewsAt: string;
}

interface Held {
  scope: BudgetScope;
  /** Of a group's. */
  groupId: string | null;
  period: BudgetPeriod;
  credits: string;
  [column: string]: unknown;
}

/**
 * Of each budget that holds for this person. A budget of their own stands in place of the one for each person; those of
 * their groups and the one for all together hold as well.
 *
 * With `isLocking`, call it in a transaction that holds the lock on the user's row: then nobody else reserves of the same
 * budgets, or changes them, until it ends.
 */
export async function budgetsLeft(
  query: Query,
  userId: string,
  { now, isLocking }: { now: Date; isLocking: boolean },
): Promise<BudgetLeft[]> {
  const rows = await query.execute<Held>(applicable(userId, isLocking));
  const held = rows.filter(
    ({ scope, period }) =>
      scope !== 'each' || !rows.some((other) => other.scope === 'person' && other.period === period),
  );
  if (held.length === 0) return [];
  // A statement of its own: it sees what was committed while the first one waited for its locks.
  const figures = held.map((one) => {
    const whose = spenders(one, userId);
    return sql`${spentSince(one.scope, whose, startOfPeriod(one.period, now))} , ${reservedBy(whose)}`;
  });
  const [row] = await query.execute<Record<'sums', string[]>>(
    sql`select array[${sql.join(figures, sql`, `)}]::text[] as sums`,
  );
  const list = row?.sums ?? [];
  return held.map(({ scope, period, credits: text }, index) => {
    const credits = Number(text);
    const spent = Number(list[2 * index]);
    const left = Math.max(0, credits - spent - Number(list[2 * index + 1]));
    return { scope, period, credits, left, spent, renewsAt: renewal(period, now) };
  });
}

/** Finds the one with the least left. */
export function tightestBudget(left: readonly BudgetLeft[]): BudgetLeft | null {
  return left.reduce<BudgetLeft | null>((least, one) => (least && least.left <= one.left ? least : one), null);
}

/** In this order rows are locked: a person, groups, all together. */
function applicable(userId: string, isLocking: boolean): SQL {
  const { id, scope, groupId, period, credits } = budgets;
  const columns = sql`${scope}, ${groupId} as "groupId", ${period}, ${credits}`;
  const own = sql`select ${columns} from ${budgets} where ${budgets.userId} = ${userId} or ${scope} = 'each'`;
  const member = sql`select ${groupMembers.groupId} from ${groupMembers} where ${groupMembers.userId} = ${userId}`;
  const ofGroups = sql`select ${columns} from ${budgets} where ${groupId} in (${member}) order by ${id}`;
  const all = sql`select ${columns} from ${budgets} where ${scope} = 'all'`;
  return isLocking
    ? sql`with own as materialized (${own} for share),
          shared as materialized (${ofGroups} for no key update),
          together as materialized (${all} for no key update)
        select * from own union all select * from shared union all select * from together`
    : sql`${own} union all (${ofGroups}) union all ${all}`;
}

/** Writes the condition on rows with the column `user_id`: who spends from a budget. */
function spenders({ scope, groupId }: Pick<Held, 'scope' | 'groupId'>, userId: string): SQL {
  if (scope === 'all') return sql`true`;
  return scope === 'group' ? isMember(groupId) : sql`user_id = ${userId}`;
}

/** Matches the people in the group now, with everything they have spent in the period. */
export function isMember(groupId: string | null): SQL {
  return sql`user_id in (select member.user_id from ${groupMembers} member where member.group_id = ${groupId})`;
}

function spentSince(scope: BudgetScope, whose: SQL, day: string): SQL {
  // The totals stay when an account goes.
  const counted = scope === 'all' ? sql`usage_totals` : sql`usage_days`;
  return sql`coalesce((select sum(credits) from ${counted} where ${whose} and day >= ${day}::date), 0)
    + coalesce((select sum(credits) from generations where ${whose}
      and is_uncounted and ended_at is not null and ended_at >= ${day}::date::timestamp at time zone 'utc'), 0)`;
}

/** Sums what unfinished runs reserve, including those charged to a balance that began before there was a budget. */
function reservedBy(whose: SQL): SQL {
  return sql`coalesce((select sum(coalesce(budgeted, reservation, 0)) from generations
    where ended_at is null and ${whose}), 0)`;
}
