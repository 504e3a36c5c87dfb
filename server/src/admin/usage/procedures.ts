// What the people of this server use, and how much they may.
import { BudgetRef, ListUsage, SetBudget, UsageLines } from '@parley/schema/accounts/usage-inputs';
import type { Budgets } from '../../billing/budgets/budgets.ts';
import { adminProcedures } from '../admin-procedure.ts';
import { listBudgets, removeBudget, setBudget } from './change-budgets.ts';
import { serverUsage, usageLines } from './server-usage.ts';

const { adminProcedure, sensitiveProcedure, router } = adminProcedures<{ budgets: Budgets }>();

export const adminUsageRouter = router({
  /** A month by person, model, provider or day. */
  list: adminProcedure.input(ListUsage).query(({ ctx, input }) => serverUsage(ctx.deps.db, input)),

  /** The same by all of them, for a file. */
  lines: sensitiveProcedure.input(UsageLines).query(({ ctx, input }) => usageLines(ctx.deps.db, input)),

  budgets: adminProcedure.query(({ ctx }) => listBudgets(ctx.deps)),

  setBudget: adminProcedure.input(SetBudget).mutation(({ ctx, input }) => setBudget(ctx.deps, ctx.actor, input)),

  removeBudget: adminProcedure.input(BudgetRef).mutation(({ ctx, input }) => removeBudget(ctx.deps, ctx.actor, input)),
});
