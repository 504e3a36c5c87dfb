// The models that the operator offers by names of their own. A chat has the spec whose endpoint, model and settings it has.
import type { ModelSpec, ModelSpecs } from '@parley/schema/settings/model-specs';
import type { Settings } from '@parley/schema/catalog/params';

/** What a chat has, or is to have. */
interface Chosen {
  endpoint: string;
  model: string | null;
  settings?: Settings | undefined;
}

export function choiceOfSpec({ endpoint, model, settings }: ModelSpec): Chosen {
  return { endpoint, model, settings };
}

/** The spec of a chat; undefined once its settings differ. */
export function findSpec(specs: ModelSpecs | undefined, chat: Chosen): ModelSpec | undefined {
  return specs?.list.find(
    ({ endpoint, model, settings }) =>
      endpoint === chat.endpoint && (model === null || model === chat.model) && hasSettings(chat, settings),
  );
}

function hasSettings({ settings = {} }: Chosen, wanted: ModelSpec['settings']): boolean {
  return Object.entries(wanted).every(([name, value]) => JSON.stringify(settings[name]) === JSON.stringify(value));
}

/** The spec that a new chat begins with, if any. */
export function specForNewChat({ enforce, list }: ModelSpecs, last: Chosen | null): ModelSpec | undefined {
  const always = list.find(({ startsChats }) => startsChats === 'always');
  if (always) return always;
  const first = last ? undefined : list.find(({ startsChats }) => startsChats === 'first');
  return first ?? (enforce ? (last && findSpec({ ...NOTHING, list }, last)) || list[0] : undefined);
}

const NOTHING: ModelSpecs = { enforce: false, prioritize: false, addedEndpoints: [], list: [] };

/** Ignores case, as the search of models does. Specs of a group stand together, those without one first. */
export function searchSpecs(specs: ModelSpecs | undefined, query: string): ModelSpec[] {
  const wanted = query.trim().toLowerCase();
  const texts = ({ label, description = '', group = '' }: ModelSpec) => [label, description, group];
  const found = specs?.list.filter((spec) => texts(spec).some((text) => text.toLowerCase().includes(wanted))) ?? [];
  return groupNames(found).flatMap((name) => found.filter(({ group = '' }) => group === name));
}

/** In the order of their first specs; the empty one stands for those without a group. */
export function groupNames(specs: readonly ModelSpec[]): string[] {
  return [...new Set(['', ...specs.map(({ group = '' }) => group)])];
}

/** The catalogue without what the specs hide: where they are enforced, all but the endpoints that are added. */
export function besideSpecs<Catalog extends { endpoints: object; specs?: ModelSpecs | undefined }>(
  catalog: Catalog,
): Catalog {
  const { endpoints, specs } = catalog;
  if (!specs?.enforce) return catalog;
  const beside = Object.entries(endpoints).filter(([name]) => specs.addedEndpoints.includes(name));
  return { ...catalog, endpoints: Object.fromEntries(beside) };
}
