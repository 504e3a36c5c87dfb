// Tests of this room: tests/integration/presets.
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import type { ModelSpecs } from '@parley/schema/settings/model-specs';
import type { Config } from '../config/config.ts';
import { presetSettings } from './settings.ts';
import type { LiveEndpoints } from '../catalog/live/live-endpoints.ts';
import type { ModelAccess } from '../catalog/access/model-access.ts';

/** Those whose model this person may use. */
export async function specsFor(
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
