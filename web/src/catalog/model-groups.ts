import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { endpointLabel, endpointTypeOf, listEndpoints, endpointModels, type Catalog } from './choose-model.ts';

/** An endpoint with its models, as the list shows it. */
export interface EndpointGroup {
  endpoint: string;
  type: EndpointType;
  /** Of assistants: their ids, since whom a person asks is the assistant. */
  models: string[];
  /** The names of assistants, by their ids. */
  names?: ReadonlyMap<string, string>;
}

/** A model of an endpoint. */
export interface ModelRef {
  endpoint: string;
  model: string;
}

/** The option of the assistants that makes a new one. */
export const NEW_ASSISTANT = '';

/** The endpoints in their order, below the assistants, which a person made or was given by name. */
export function endpointGroups(catalog: Catalog, assistants?: ReadonlyMap<string, string>): EndpointGroup[] {
  const groups = listEndpoints(catalog.endpoints).map((endpoint): EndpointGroup => {
    const type = endpointTypeOf(endpoint, catalog.endpoints[endpoint]);
    if (type === 'assistants' && assistants)
      return { endpoint, type, models: [...assistants.keys()], names: assistants };
    return { endpoint, type, models: endpointModels(endpoint, catalog) };
  });
  return groups.toSorted((one, other) => Number(other.names !== undefined) - Number(one.names !== undefined));
}

export function countModels(groups: readonly EndpointGroup[]): number {
  return groups.reduce((count, { models }) => count + models.length, 0);
}

/**
 * Ignores case: an endpoint whose name matches keeps all its models, others keep the models that match. Plugins have
 * the models of another endpoint, which stand there alone: of theirs there is one, the current one if it is theirs.
 */
export function searchGroups(
  groups: readonly EndpointGroup[],
  query: string,
  current: { endpoint: string; model: string | null } | null = null,
): EndpointGroup[] {
  const wanted = query.trim().toLowerCase();
  const matches = (name: string) => name.toLowerCase().includes(wanted);
  const isElsewhere = (model: string) =>
    groups.some(({ type, models }) => type !== 'gptPlugins' && models.includes(model));
  const ownModels = ({ type, models }: EndpointGroup) =>
    type === 'gptPlugins' ? models.filter((model) => !isElsewhere(model)) : models;
  const found = groups.map((group): EndpointGroup => {
    const own = ownModels(group);
    if (wanted === '') return { ...group, models: own.length > 0 ? own : oneOf(group, current) };
    if (matches(endpointLabel(group.endpoint))) return group;
    return { ...group, models: own.filter((model) => matches(group.names?.get(model) ?? model)) };
  });
  return found.filter(({ models }) => models.length > 0);
}

function oneOf({ endpoint, models }: EndpointGroup, current: { endpoint: string; model: string | null } | null) {
  const model = current?.endpoint === endpoint ? current.model : null;
  return model !== null && models.includes(model) ? [model] : models.slice(0, 1);
}

/** A model above the groups. */
export interface TopModel extends ModelRef, Pick<EndpointGroup, 'type' | 'names'> {}

/** The list as it is shown: each model stands in it once. */
export interface ModelList {
  /** Oldest first. */
  starred: TopModel[];
  /** Newest first. */
  recent: TopModel[];
  groups: EndpointGroup[];
  /** All of them in this order. */
  options: ModelRef[];
}

/** Favourites stand above the groups, then the recent models; what stands there is not in its group again. */
export function arrangeModels(
  groups: readonly EndpointGroup[],
  favourites: readonly ModelRef[],
  used: readonly ModelRef[] = [],
): ModelList {
  const starred = topModels(groups, favourites);
  const recent = topModels(groups, used).filter((one) => !isIn(starred, one));
  const top = [...starred, ...recent];
  const rest = groups.map((group): EndpointGroup => {
    const { endpoint, models } = group;
    return { ...group, models: models.filter((model) => !isIn(top, { endpoint, model })) };
  });
  const shown = rest.filter(({ models }) => models.length > 0);
  const all = shown.flatMap(({ endpoint, models }) => models.map((model) => ({ endpoint, model })));
  return { starred, recent, groups: shown, options: [...top, ...all] };
}

/** Those of `wanted` that are in a group. */
function topModels(groups: readonly EndpointGroup[], wanted: readonly ModelRef[]): TopModel[] {
  return wanted.flatMap(({ endpoint, model }) => {
    const group = groups.find((one) => one.endpoint === endpoint && one.models.includes(model));
    return group ? [{ endpoint, model, type: group.type, ...(group.names && { names: group.names }) }] : [];
  });
}

function isIn(models: readonly ModelRef[], wanted: ModelRef): boolean {
  return models.some((one) => isSameModel(one, wanted));
}

export function isSameModel(one: ModelRef, other: { endpoint: string; model: string | null }): boolean {
  return one.endpoint === other.endpoint && one.model === other.model;
}
