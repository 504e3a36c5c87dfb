import { PresetRef, RestorePresets, SavePreset } from '@parley/schema/settings/presets';
import { withServices } from '../http/trpc.ts';
import { restorePresets } from './restore-presets.ts';
import { listPresets, removeAllPresets, removePreset, savePreset } from './presets.ts';
import type { ModelAccess } from '../catalog/access/model-access.ts';
import type { LiveEndpoints } from '../catalog/live/live-endpoints.ts';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import type { ModelSpecs } from '@parley/schema/settings/model-specs';
import type { Config } from '../config/config.ts';
import { presetSettings } from './settings.ts';

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

/** Those whose model this person may use. */
async function specsFor(
  { endpoints, access }: { endpoints: LiveEndpoints; access: ModelAccess },
  userId: string,
): Promise<ModelSpecs | null> {
  const specs = presentModelSpecs(endpoints.modelSpecs());
  if (!specs) return null;
  const isTheirs = await Promise.all(
    specs.list.map(({ endpoint, model }) =>
      model === null ? access.offers(userId, endpoint) : access.permits(userId, endpoint, model),
    ),
  );
  return { ...specs, list: specs.list.filter((_, index) => isTheirs[index]) };
}

/** The operator's specs with the settings of their presets; none of these is sent where there are none. */
function presentModelSpecs(specs: Config['modelSpecs']): ModelSpecs | null {
  if (!specs) return null;
  const { addedEndpoints, list, ...rules } = specs;
  return {
    ...rules,
    addedEndpoints: [...addedEndpoints],
    list: list.map(({ type, preset, ...spec }) => ({
      ...spec,
      settings: presetSettings(type, withLabel(type, preset), spec.model),
    })),
  };
}

/** Newer files name the label alike for all endpoints. */
function withLabel(type: EndpointType, preset: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isOther = 'chatGptLabel' in endpointTable[type].params && preset.chatGptLabel === undefined;
  return isOther ? { ...preset, chatGptLabel: preset.modelLabel } : preset;
}
