// The endpoints room: what a person may talk to, what they pick and what they picked last.
import { endpointTable, type EndpointType } from '@parley/schema/endpoints';
import { carrySettings } from '@parley/schema/carry-settings';
import type { Settings } from '@parley/schema/params';
import type { Preset } from '@parley/schema/presets';
import type { EndpointConfig, EndpointsConfig, ModelsConfig } from '@parley/schema/startup';

/** Whom a chat talks to. */
export interface Choice {
  endpoint: string;
  model: string | null;
  /** What was set by hand; absent: the conversation's own, or the defaults. */
  settings?: Settings | undefined;
  /** The preset that it is, as long as nothing of it was changed. */
  presetId?: string | undefined;
}

/** What the browser remembers of earlier choices. */
export interface ChoiceMemory {
  /** The endpoint, model and settings of the last chat. */
  setup: Choice | null;
  /** Endpoint to the model last used with it; the endpoint used last stands last. */
  lastModels: ReadonlyMap<string, string>;
}

/** What this server offers. */
export interface Offer {
  endpoints: EndpointsConfig;
  models: ModelsConfig;
}

/** Lists whose first is the one to begin with: the operator has put them in order, or as Google's they follow the keys. */
const IN_ORDER: readonly EndpointType[] = ['custom', 'azureOpenAI', 'google'];

/**
 * The choice a new chat starts with: the default preset if its endpoint is enabled, else the last setup if its is, else
 * the endpoint used last, else the first by order. Null when there is no endpoint at all.
 */
export function chooseForNewChat(offer: Offer, memory: ChoiceMemory, preset: Preset | null): Choice | null {
  const preferred = preset && choosePreset(preset, offer, memory);
  if (preferred) return preferred;
  const { setup } = memory;
  if (setup && offer.endpoints[setup.endpoint]) return withKnownModel(setup, offer, memory);
  const lastUsed = [...memory.lastModels.keys()].findLast((endpoint) => offer.endpoints[endpoint]);
  const endpoint = lastUsed ?? listEndpoints(offer.endpoints)[0];
  return endpoint === undefined ? null : chooseEndpoint(endpoint, offer, memory);
}

/** What was chosen before this server's offer was known, as far as it is offered. */
export function chooseAgain(choice: Choice, offer: Offer, memory: ChoiceMemory): Choice | null {
  return offer.endpoints[choice.endpoint] ? keepOffered(choice, offer, memory) : null;
}

/** An endpoint with the model last used there, else the one to begin with. */
export function chooseEndpoint(endpoint: string, offer: Offer, memory: ChoiceMemory): Choice {
  return withKnownModel({ endpoint, model: memory.lastModels.get(endpoint) ?? null }, offer, memory);
}

/** A choice whose model has left its endpoint's list, as when a key opened another one, goes on with one that is there. */
export function keepOffered(choice: Choice, offer: Offer, memory: ChoiceMemory): Choice {
  const { endpoint, model } = choice;
  const isGone = model !== null && offer.endpoints[endpoint] && !modelsOf(endpoint, offer).includes(model);
  return isGone ? withKnownModel(choice, offer, memory) : choice;
}

/** Whom a preset asks and how; null when its endpoint is not offered here. */
export function choosePreset(preset: Preset, offer: Offer, memory: ChoiceMemory): Choice | null {
  const { presetId, endpoint, model, settings } = preset;
  if (endpoint === null || !offer.endpoints[endpoint]) return null;
  const type = endpointTypeOf(endpoint, offer.endpoints[endpoint]);
  const choice = { endpoint, model, settings: carrySettings(type, model, settings), presetId };
  return withKnownModel(choice, offer, memory);
}

/** Names of the enabled endpoints, in the order the server gives them. */
export function listEndpoints(endpoints: EndpointsConfig): string[] {
  return Object.entries(endpoints)
    .toSorted(([, a], [, b]) => a.order - b.order)
    .map(([name]) => name);
}

/** The models of an endpoint; where no list came, the one that is known to every provider of its kind. */
export function modelsOf(endpoint: string, { endpoints, models }: Offer): string[] {
  const offered = models[endpoint] ?? [];
  return offered.length > 0 ? offered : [endpointTable[endpointTypeOf(endpoint, endpoints[endpoint])].defaultModel];
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

/** The model that was meant if it is offered, else the one last used there, else the one to begin with. */
function withKnownModel(choice: Choice, offer: Offer, memory: ChoiceMemory): Choice {
  const { endpoint, settings } = choice;
  const type = endpointTypeOf(endpoint, offer.endpoints[endpoint]);
  const offered = modelsOf(endpoint, offer);
  const { defaultModel } = endpointTable[type];
  const wishes = [choice.model, memory.lastModels.get(endpoint), IN_ORDER.includes(type) ? null : defaultModel];
  const model = wishes.find((wish) => typeof wish === 'string' && offered.includes(wish)) ?? offered[0] ?? defaultModel;
  return { ...choice, model, settings: settings && carrySettings(type, model, settings) };
}
