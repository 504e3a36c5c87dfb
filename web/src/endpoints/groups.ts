import type { EndpointType } from '@parley/schema/endpoints';
import { endpointLabel, endpointTypeOf, listEndpoints, modelsOf, type Offer } from './choose.ts';

/** An endpoint with the models it offers, as the list shows it. */
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

export function groupsOf(offer: Offer): EndpointGroup[] {
  return listEndpoints(offer.endpoints).map((endpoint) => ({
    endpoint,
    type: endpointTypeOf(endpoint, offer.endpoints[endpoint]),
    models: modelsOf(endpoint, offer),
  }));
}

export function countModels(groups: readonly EndpointGroup[]): number {
  return groups.reduce((count, { models }) => count + models.length, 0);
}

/** Whatever the case: an endpoint that matches by name is kept whole, others with the models that match. */
export function searchGroups(groups: readonly EndpointGroup[], query: string): EndpointGroup[] {
  const wanted = query.trim().toLowerCase();
  const matches = (name: string) => name.toLowerCase().includes(wanted);
  return groups
    .map((group) =>
      matches(endpointLabel(group.endpoint)) ? group : { ...group, models: group.models.filter(matches) },
    )
    .filter(({ models }) => models.length > 0);
}

/** Those of the favourites that are in the list, in the order in which they were chosen. */
export function favouritesIn(groups: readonly EndpointGroup[], favourites: readonly ModelRef[]): ModelRef[] {
  const models = new Map(groups.map((group) => [group.endpoint, new Set(group.models)]));
  return favourites.filter(({ endpoint, model }) => models.get(endpoint)?.has(model));
}

/** Everything that can be chosen, in the order of the list: favourites, which are also in their groups, then those. */
export function optionsOf(groups: readonly EndpointGroup[], favourites: readonly ModelRef[]): ModelRef[] {
  const all = groups.flatMap(({ endpoint, models }) => models.map((model) => ({ endpoint, model })));
  return [...favouritesIn(groups, favourites), ...all];
}

export function isSameModel(one: ModelRef, other: { endpoint: string; model: string | null }): boolean {
  return one.endpoint === other.endpoint && one.model === other.model;
}
