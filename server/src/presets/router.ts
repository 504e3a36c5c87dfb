import { protectedProcedure, router } from '../trpc.ts';

export const presetsRouter = router({
  /** The presets this user has saved. */
  list: protectedProcedure.query((): never[] => []),
});
