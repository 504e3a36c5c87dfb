// The endpoints room: what a person may talk to, what they pick and what they picked last.
import { endpointTable, type EndpointType } from '@parley/schema/endpoints';
import type { Settings } from '@parley/schema/params';
import type { EndpointConfig, EndpointsConfig, ModelsConfig } from '@parley/schema/startup';

/** Whom a chat talks to. */
export interface Choice {
  endpoint: string;
  model: string | null;
  /** What was set by hand; absent: the conversation's own, or the defaults. */
  settings?: Settings | undefined;
}

/** What the browser remembers of earlier choices. */
export interface ChoiceMemory {
  /** The endpoint and model of the last new chat. */
  setup: Choice | null;
  /** Endpoint to the model last used with it; the endpoint used last stands last. */
  lastModels: ReadonlyMap<string, string>;
}

/**
 * The choice a new chat starts with: the last setup if its endpoint is enabled, else the endpoint used last, else the
 * first by order. Null when there is no endpoint at all.
 */
export function chooseForNewChat(
  endpoints: EndpointsConfig,
  models: ModelsConfig,
  memory: ChoiceMemory,
): Choice | null {
  const setup = memory.setup;
  if (setup && endpoints[setup.endpoint]) return withKnownModel(setup, endpoints, models, memory);
  const lastUsed = [...memory.lastModels.keys()].findLast((endpoint) => endpoints[endpoint]);
  const endpoint = lastUsed ?? listEndpoints(endpoints)[0];
  return endpoint === undefined ? null : chooseEndpoint(endpoint, endpoints, models, memory);
}

/** An endpoint with the model last used there, else its first. */
export function chooseEndpoint(
  endpoint: string,
  endpoints: EndpointsConfig,
  models: ModelsConfig,
  memory: ChoiceMemory,
): Choice {
  return withKnownModel({ endpoint, model: memory.lastModels.get(endpoint) ?? null }, endpoints, models, memory);
}

/** Names of the enabled endpoints, in the order the server gives them. */
export function listEndpoints(endpoints: EndpointsConfig): string[] {
  return Object.entries(endpoints)
    .toSorted(([, a], [, b]) => a.order - b.order)
    .map(([name]) => name);
}

/** The kind an endpoint belongs to: custom ones say so, the others are their own kind. */
export function endpointTypeOf(endpoint: string, config: EndpointConfig | undefined): EndpointType {
  return config?.type ?? (isEndpointType(endpoint) ? endpoint : 'custom');
}

/** What an endpoint is called: a custom one by its own name. */
export function endpointLabel(endpoint: string): string {
  return isEndpointType(endpoint) ? endpointTable[endpoint].label : endpoint;
}

function isEndpointType(name: string): name is EndpointType {
  return Object.hasOwn(endpointTable, name);
}

function withKnownModel(
  { endpoint, model }: Choice,
  endpoints: EndpointsConfig,
  models: ModelsConfig,
  memory: ChoiceMemory,
): Choice {
  const offered = models[endpoint] ?? [];
  const isOffered = (name: string | null | undefined) => typeof name === 'string' && offered.includes(name);
  if (isOffered(model)) return { endpoint, model };
  const last = memory.lastModels.get(endpoint);
  if (isOffered(last)) return { endpoint, model: last ?? null };
  const fallback = endpointTable[endpointTypeOf(endpoint, endpoints[endpoint])].defaultModel;
  return { endpoint, model: offered[0] ?? fallback };
}
