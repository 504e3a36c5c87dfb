import { protectedProcedure, router } from '../http/trpc.ts';

export const assistantsRouter = router({
  /** The assistants of this user's key. */
  list: protectedProcedure.query((): never[] => []),
});
