import { protectedProcedure, router } from '../http/trpc.ts';
import { usedByMonth } from './used-by-month.ts';

export const usageRouter = router({
  /** Answers and tokens of this user by month, endpoint and model. */
  byMonth: protectedProcedure.query(({ ctx }) => usedByMonth(ctx.deps.db, ctx.user.id)),
});
