import { protectedProcedure, router } from '../trpc.ts';

export const filesRouter = router({
  /** The files this user has uploaded. */
  list: protectedProcedure.query((): never[] => []),

  /** The file limits as the operator wrote them, sizes in MB; null when nothing was written. */
  config: protectedProcedure.query(({ ctx }) => ctx.deps.config.files.limits ?? null),
});
