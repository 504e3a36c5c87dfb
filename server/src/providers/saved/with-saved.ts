// Adds the providers of administrators to those that the environment and the yaml file configure, which win.
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Env } from '../../config/env/env.ts';
import type { ConfigSources, ConfiguredProvider, ProviderDefinition } from '../define-provider.ts';
import { offeredEndpoints, endpointPosition } from '../../config/endpoint-order.ts';
import type { PlacedProvider, SavedProvider } from './saved-provider.ts';

/** Behind the built-in endpoints of the environment, before those of the yaml file. */
const SAVED_FROM = 1000;
/** Behind those that answer for it. */
const DERIVED = 5000;

type Sources = Pick<ConfigSources, 'yaml' | 'cwd' | 'dataDir'> & { env: Env };

/**
 * `configured` is what the environment and the yaml file say, in the order of `definitions`. What needs nothing of
 * `saved`, which is in the order of the menu, stays the same object.
 * @throws ConfigError for one that does not fit together with the environment
 */
export async function withSaved(
  definitions: readonly ProviderDefinition[],
  configured: readonly ConfiguredProvider[],
  { env, yaml, cwd, dataDir }: Sources,
  saved: readonly SavedProvider[],
): Promise<ConfiguredProvider[]> {
  if (saved.length === 0) return [...configured];
  const offered = offeredEndpoints(env);
  const isSet = (type: EndpointType) => configured.some((one) => one.type === type && one.endpoints.length > 0);
  const placed = saved.map((one, index) => ({ ...one, order: env.ENDPOINTS ? NaN : SAVED_FROM + index }));
  const from = { env, yaml, cwd, dataDir, titlesEnabled: env.TITLE_CONVO ?? true };
  const variables = (ones: readonly SavedProvider[]) =>
    Object.assign({}, ...ones.map((one) => definitionOf(definitions, one)?.savedVariables?.(one)));
  const inForce = placed.filter(({ type }) => type !== 'custom' && !isSet(type));
  return Promise.all(
    definitions.map(async (definition, index) => {
      const before = configured[index] ?? definition.excluded();
      const { type } = definition;
      const order = endpointPosition(type, offered);
      const isPlaced = env.ENDPOINTS?.includes(type) ?? false;
      if (order === null) return before;
      const placeOf = (one: PlacedProvider) => (isPlaced || Number.isNaN(one.order) ? order : one.order);
      if (type === 'custom') {
        const own = withNewNames(before, placed).map((one) => ({ ...one, order: placeOf(one) }));
        const added = await definition.configure({ ...from, yaml: {}, order, isPlaced, saved: own });
        return { ...before, endpoints: [...before.endpoints, ...added.endpoints] };
      }
      const own = inForce.filter((one) => one.type === type);
      const [first] = own;
      if (before.endpoints.length > 0 || inForce.length === 0 || (definition.savedVariables && !first)) return before;
      const under = variables(first ? own : inForce);
      const place = first ? placeOf(first) : isPlaced ? order : DERIVED;
      return asSaved(await definition.configure({ ...from, env: laid(under, env), order: place, isPlaced }));
    }),
  );
}

function definitionOf(definitions: readonly ProviderDefinition[], { type }: SavedProvider) {
  return definitions.find((definition) => definition.type === type);
}

/** Names of the yaml file stay its own. */
function withNewNames({ endpoints }: ConfiguredProvider, saved: readonly PlacedProvider[]): PlacedProvider[] {
  const taken = new Set(endpoints.map(({ name }) => name.toLowerCase()));
  return saved.filter(({ type, name }) => type === 'custom' && !taken.has(name.toLowerCase()));
}

/** What the environment gives, over the saved values. */
function laid(under: object, env: Env): Env {
  const given = Object.entries(env).filter(([, value]) => value !== undefined);
  return { ...env, ...under, ...Object.fromEntries(given) };
}

function asSaved(provider: ConfiguredProvider): ConfiguredProvider {
  return { ...provider, endpoints: provider.endpoints.map((endpoint) => ({ ...endpoint, isSaved: true })) };
}
