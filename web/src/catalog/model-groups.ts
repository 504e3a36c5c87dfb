import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { endpointLabel, endpointTypeOf, listEndpoints, modelsOf, type Catalog } from './choose-model.ts';

/** An endpoint with its models, as the list shows it. */
export interface EndpointGroup {
  endpoint: string;
  type: EndpointType;
  models: string[];
}

/** A model of an endpoint. */
export interface ModelRef {
  endpoint: string;
  model: string;
}

export function groupsOf(catalog: Catalog): EndpointGroup[] {
  return listEndpoints(catalog.endpoints).map((endpoint) => ({
    endpoint,
    type: endpointTypeOf(endpoint, catalog.endpoints[endpoint]),
    models: modelsOf(endpoint, catalog),
  }));
}

export function countModels(groups: readonly EndpointGroup[]): number {
  return groups.reduce((count, { models }) => count + models.length, 0);
}

/**
 * Ignores case: an endpoint whose name matches keeps all its models, others keep the models that match. Plugins have
 * the models of another endpoint, which are found there alone.
 */
export function searchGroups(groups: readonly EndpointGroup[], query: string): EndpointGroup[] {
  const wanted = query.trim().toLowerCase();
  const matches = (name: string) => name.toLowerCase().includes(wanted);
  if (wanted === '') return groups.filter(({ models }) => models.length > 0);
  const isElsewhere = (model: string) =>
    groups.some(({ type, models }) => type !== 'gptPlugins' && models.includes(model));
  const isFound = ({ type }: EndpointGroup, model: string) =>
    matches(model) && !(type === 'gptPlugins' && isElsewhere(model));
  return groups
    .map((group) =>
      matches(endpointLabel(group.endpoint))
        ? group
        : { ...group, models: group.models.filter((model) => isFound(group, model)) },
    )
    .filter(({ models }) => models.length > 0);
}

/** The favourites that are in the list, oldest first. */
export function favouritesIn(groups: readonly EndpointGroup[], favourites: readonly ModelRef[]): ModelRef[] {
  const models = new Map(groups.map((group) => [group.endpoint, new Set(group.models)]));
  return favourites.filter(({ endpoint, model }) => models.get(endpoint)?.has(model));
}

/** All options in list order: favourites (also present in their groups), then the groups. */
export function optionsOf(groups: readonly EndpointGroup[], favourites: readonly ModelRef[]): ModelRef[] {
  const all = groups.flatMap(({ endpoint, models }) => models.map((model) => ({ endpoint, model })));
  return [...favouritesIn(groups, favourites), ...all];
}

export function isSameModel(one: ModelRef, other: { endpoint: string; model: string | null }): boolean {
  return one.endpoint === other.endpoint && one.model === other.model;
}
