import { PresetRef, RestorePresets, SavePreset } from '@parley/schema/settings/presets';
import { withServices } from '../http/trpc.ts';
import { specsFor } from './model-specs.ts';
import { restorePresets } from './restore-presets.ts';
import { listPresets, removeAllPresets, removePreset, savePreset } from './presets.ts';
import type { ModelAccess } from '../catalog/access/model-access.ts';
import type { LiveEndpoints } from '../catalog/live/live-endpoints.ts';

const { protectedProcedure, router } = withServices<{ access: ModelAccess; endpoints: LiveEndpoints }>();

export const presetsRouter = router({
  /** The presets of this user, in the order of the menu. */
  list: protectedProcedure.query(({ ctx }) => listPresets(ctx.deps.db, ctx.user.id)),

  /** What the operator offers to this person by names of its own; null where nothing is. */
  specs: protectedProcedure.query(({ ctx }) => specsFor(ctx.deps, ctx.user.id)),

  /** Creates a preset, or updates the one with this id. */
  save: protectedProcedure.input(SavePreset).mutation(({ ctx, input }) => savePreset(ctx.deps, ctx.user.id, input)),

  remove: protectedProcedure
    .input(PresetRef)
    .mutation(({ ctx, input }) => removePreset(ctx.deps.db, ctx.user.id, input.presetId)),

  /** Brings back presets that were deleted, as the list had them. Those that are there stay as they are. */
  restore: protectedProcedure.input(RestorePresets).mutation(async ({ ctx, input }) => {
    const { count } = await restorePresets(ctx.deps.db, ctx.user.id, input.presets, { keepsIds: true });
    return count;
  }),

  removeAll: protectedProcedure.mutation(({ ctx }) => removeAllPresets(ctx.deps.db, ctx.user.id)),
});
