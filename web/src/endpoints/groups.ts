import type { EndpointType } from '@parley/schema/endpoints';
import { endpointLabel, endpointTypeOf, listEndpoints } from './choose.ts';
import type { Offer } from './use-addressee.ts';

/** An endpoint with the models it offers, as the list shows it. */
export interface EndpointGroup {
  endpoint: string;
  type: EndpointType;
  models: string[];
}

export function groupsOf({ endpoints, models }: Offer): EndpointGroup[] {
  return listEndpoints(endpoints).map((endpoint) => ({
    endpoint,
    type: endpointTypeOf(endpoint, endpoints[endpoint]),
    models: models[endpoint] ?? [],
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
