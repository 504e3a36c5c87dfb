import { carrySettings } from '@parley/schema/settings/carry-settings';
import type { Schedule } from '@parley/schema/schedules/schedule-rules';
import { useAtomValue } from 'jotai';
import { chooseForNewChat, endpointTypeOf, type Catalog, type Choice } from '../catalog/choose-model.ts';
import { lastChoicesAtom } from '../catalog/last-choices.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { useDefaultPreset } from '../presets/use-presets.ts';

interface FirstChoice {
  catalog: Catalog;
  /** Null where there is no endpoint. */
  first: Choice | null;
}

/** Who answers when the form opens: as the schedule says, or as in a new chat. Undefined while it is not known. */
export function useFirstChoice(schedule: Schedule | null): FirstChoice | undefined {
  const catalog = useCatalog();
  const memory = useAtomValue(lastChoicesAtom);
  const preset = useDefaultPreset();
  if (!catalog || preset === undefined) return undefined;
  if (!schedule) return { catalog, first: chooseForNewChat(catalog, memory, preset) };
  const { endpoint, model = null, settings } = schedule.target;
  const type = endpointTypeOf(endpoint, catalog.endpoints[endpoint]);
  return { catalog, first: { endpoint, model, settings: carrySettings(type, model, settings) } };
}
