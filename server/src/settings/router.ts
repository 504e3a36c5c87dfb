// Tests of this room: tests/integration/settings.
import { SetSettings } from '@parley/schema/settings/interface-inputs';
import { protectedProcedure, router } from '../http/trpc.ts';
import { readSettings, saveSettings } from './settings.ts';

export const settingsRouter = router({
  /** The interface settings that differ from their defaults; changes come through the change feed. */
  list: protectedProcedure.query(({ ctx }) => readSettings(ctx.deps.db, ctx.user.id)),

  set: protectedProcedure
    .input(SetSettings)
    .mutation(({ ctx, input }) => saveSettings(ctx.deps.db, ctx.user.id, input)),
});
