import { UsageMonth } from '@parley/schema/accounts/usage-inputs';
import { withServices } from '../http/trpc.ts';
import { ownUsage, type UsageServices } from './own-usage.ts';

const { protectedProcedure, router } = withServices<UsageServices>();

export const usageRouter = router({
  /** What this user has used in a month, by day and model, and what is left of the budgets. */
  mine: protectedProcedure.input(UsageMonth).query(({ ctx, input }) => ownUsage(ctx.deps, ctx.user.id, input.month)),
});
