import { protectedProcedure, router } from '../trpc.ts';

export const assistantsRouter = router({
  /** The assistants of this user's key. */
  list: protectedProcedure.query((): never[] => []),
});
