import type { Config } from '../config.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * The endpoints with the models that the operator's specs name. Where these are enforced, there are no others: neither
 * in lists nor for a client that names one.
 */
export function withModelSpecs(endpoints: Endpoint[], specs: Config['modelSpecs']): Endpoint[] {
  if (!specs) return endpoints;
  const { enforce, addedEndpoints, list } = specs;
  return endpoints.flatMap((endpoint) => {
    const own = list.filter((spec) => spec.endpoint === endpoint.name).map(({ model }) => model);
    const named = [...new Set(own)].filter((model) => model !== null);
    if (!enforce || addedEndpoints.includes(endpoint.name)) return withNamed(endpoint, named);
    // A spec without a model means the endpoint's default, which only its list knows.
    return own.includes(null) ? withNamed(endpoint, named) : named.length > 0 ? onlyNamed(endpoint, named) : [];
  });
}

function withNamed(endpoint: Endpoint, named: readonly string[]): Endpoint {
  if (named.length === 0) return endpoint;
  return { ...endpoint, models: async (userId) => [...new Set([...(await endpoint.models(userId)), ...named])] };
}

function onlyNamed(endpoint: Endpoint, named: readonly string[]): Endpoint {
  return { ...endpoint, models: async () => named, accepts: async (_userId, model) => named.includes(model) };
}
