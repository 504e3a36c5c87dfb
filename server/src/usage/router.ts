import { UsageMonth } from '@parley/schema/accounts/usage-inputs';
import { withServices } from '../http/trpc.ts';
import type { Db, Query } from '@parley/db/client';
import { usageDays } from '@parley/db/tables/balances';
import type { BudgetState, DayUsage, ModelUsage, OwnUsage, UsageFigures } from '@parley/schema/accounts/usage';
import { and, eq, sql } from 'drizzle-orm';
import { sumBy } from './figures.ts';
import { gatherUsage } from './gather.ts';
import { isIn, isoMonth, withThisMonth } from './months.ts';

const { protectedProcedure, router } = withServices<UsageServices>();

export const usageRouter = router({
  /** What this user has used in a month, by day and model, and what is left of the budgets. */
  mine: protectedProcedure.input(UsageMonth).query(({ ctx, input }) => ownUsage(ctx.deps, ctx.user.id, input.month)),
});

// What a person sees of their own usage.
interface UsageServices {
  budgets: {
    concern(userId: string): boolean;
    left(query: Query, userId: string): Promise<BudgetState[]>;
  };
}

export async function ownUsage(
  { db, budgets }: UsageServices & { db: Db },
  userId: string,
  month: string | undefined,
  now = new Date(),
): Promise<OwnUsage> {
  await gatherUsage(db);
  const shown = month ?? isoMonth(now);
  const [[rows, months], left] = await Promise.all([
    db.read(({ query }) =>
      Promise.all([
        query
          .select()
          .from(usageDays)
          .where(and(eq(usageDays.userId, userId), isIn(shown, usageDays.day))),
        query
          .selectDistinct({ month: sql<string>`to_char(${usageDays.day}, 'YYYY-MM')` })
          .from(usageDays)
          .where(eq(usageDays.userId, userId)),
      ]),
    ),
    budgets.concern(userId) ? budgets.left(db.query, userId) : [],
  ]);
  return {
    month: shown,
    months: withThisMonth(
      months.map((one) => one.month),
      now,
    ),
    days: byDay(rows),
    models: byModel(rows),
    budgets: left,
  };
}

type Row = typeof usageDays.$inferSelect;

function byDay(rows: readonly Row[]): DayUsage[] {
  const asked = rows.map((row) => ({ ...row, asks: row.kind === 'chat' || row.kind === 'api' ? row.asks : 0 }));
  return sumBy(asked, ({ day }) => day)
    .map(({ day, ...row }) => ({ day, ...figuresOf(row) }))
    .toSorted((a, b) => a.day.localeCompare(b.day));
}

function byModel(rows: readonly Row[]): ModelUsage[] {
  return sumBy(rows, ({ endpoint, model, kind }) => JSON.stringify([endpoint, model, kind]))
    .map(({ endpoint, model, kind, ...row }) => ({ endpoint, model: model || null, kind, ...figuresOf(row) }))
    .toSorted((a, b) => b.credits - a.credits || b.input + b.output - a.input - a.output || b.asks - a.asks);
}

function figuresOf(row: UsageFigures): UsageFigures {
  const { asks, input, cachedRead, cachedWrite, output, reasoning, credits, unpriced } = row;
  return { asks, input, cachedRead, cachedWrite, output, reasoning, credits, unpriced };
}
