// Tests of this room: tests/unit/web/catalog.

// The catalogue: which endpoints and models the server offers, and which one the user picked, now and last.
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import type { ModelSpecs } from '@parley/schema/settings/model-specs';
import { carrySettings } from '@parley/schema/settings/carry-settings';
import type { Settings } from '@parley/schema/catalog/params';
import type { Preset } from '@parley/schema/settings/presets';
import type { EndpointConfig, EndpointsConfig, ModelsConfig } from '@parley/schema/catalog/startup';
import type { ParseKeys } from 'i18next';
import { i18n } from '../i18n.ts';
import { choiceOfSpec, specForNewChat } from './model-specs.ts';

/** The endpoint and model of a chat. */
export interface Choice {
  endpoint: string;
  model: string | null;
  /** Settings the user changed; if absent, the conversation's own or the defaults. */
  settings?: Settings | undefined;
  /** The preset it came from, while unchanged. */
  presetId?: string | undefined;
}

/** Earlier choices, from the browser's storage. */
export interface LastChoices {
  /** The endpoint, model and settings of the last chat. */
  setup: Choice | null;
  /** Endpoint to the last model used with it; the most recent endpoint is last. */
  lastModels: ReadonlyMap<string, string>;
}

/** What this server offers. */
export interface Catalog {
  endpoints: EndpointsConfig;
  models: ModelsConfig;
  /** Absent where the operator has none. */
  specs?: ModelSpecs | undefined;
}

/**
 * The choice a new chat starts with: a spec of the operator if one is to start chats, the default preset if its endpoint
 * is enabled, otherwise the last setup if its endpoint is enabled, otherwise the last endpoint, otherwise the first by
 * order. Null without any endpoint.
 */
export function chooseForNewChat(catalog: Catalog, memory: LastChoices, preset: Preset | null): Choice | null {
  const spec = catalog.specs && specForNewChat(catalog.specs, memory.setup);
  const own = preset && choosePreset(preset, catalog, memory);
  const preferred =
    spec && (!own || catalog.specs?.prioritize) ? withKnownModel(choiceOfSpec(spec), catalog, memory) : own;
  if (preferred) return preferred;
  const { setup } = memory;
  if (setup && catalog.endpoints[setup.endpoint]) return withKnownModel(setup, catalog, memory);
  const lastUsed = [...memory.lastModels.keys()].findLast((endpoint) => catalog.endpoints[endpoint]);
  const endpoint = lastUsed ?? listEndpoints(catalog.endpoints)[0];
  return endpoint === undefined ? null : chooseEndpoint(endpoint, catalog, memory);
}

/** A choice made before the catalogue loaded, as far as the server offers it. */
export function revalidateChoice(choice: Choice, catalog: Catalog, memory: LastChoices): Choice | null {
  return catalog.endpoints[choice.endpoint] ? replaceMissingModel(choice, catalog, memory) : null;
}

/** An endpoint with its last model, or its default one. */
export function chooseEndpoint(endpoint: string, catalog: Catalog, memory: LastChoices): Choice {
  return withKnownModel({ endpoint, model: memory.lastModels.get(endpoint) ?? null }, catalog, memory);
}

/** If the model has left its endpoint's list (a new key can change the list), switches to one in the list. */
export function replaceMissingModel(choice: Choice, catalog: Catalog, memory: LastChoices): Choice {
  const { endpoint, model } = choice;
  const config = catalog.endpoints[endpoint];
  const isOfAssistant = endpointTypeOf(endpoint, config) === 'assistants';
  const isGone = model !== null && config && !isOfAssistant && !endpointModels(endpoint, catalog).includes(model);
  return isGone ? withKnownModel(choice, catalog, memory) : choice;
}

/** Whether the server offers the endpoint and lists the model. Without a list nobody knows. */
export function isOffered({ endpoint, model }: Choice, { endpoints, models }: Catalog): boolean {
  const listed = models[endpoint] ?? [];
  return endpoints[endpoint] !== undefined && (model === null || listed.length === 0 || listed.includes(model));
}

/** What answers in place of a model that is not offered: another one of its endpoint, or what a new chat begins with. */
export function chooseReplacement(choice: Choice, catalog: Catalog, memory: LastChoices): Choice | null {
  return revalidateChoice(choice, catalog, memory) ?? chooseForNewChat(catalog, memory, null);
}

/** The choice of a preset; null if the server does not offer its endpoint. */
export function choosePreset(preset: Preset, catalog: Catalog, memory: LastChoices): Choice | null {
  const { presetId, endpoint, model, settings } = preset;
  if (endpoint === null || !catalog.endpoints[endpoint]) return null;
  const type = endpointTypeOf(endpoint, catalog.endpoints[endpoint]);
  const choice = { endpoint, model, settings: carrySettings(type, model, settings), presetId };
  return withKnownModel(choice, catalog, memory);
}

/** Names of the enabled endpoints, in the server's order. */
export function listEndpoints(endpoints: EndpointsConfig): string[] {
  return Object.entries(endpoints)
    .toSorted(([, a], [, b]) => a.order - b.order)
    .map(([name]) => name);
}

/** The models of an endpoint; without a list, the one that every provider of its kind has. */
export function endpointModels(endpoint: string, { endpoints, models }: Catalog): string[] {
  const offered = models[endpoint] ?? [];
  return offered.length > 0 ? offered : [endpointTable[endpointTypeOf(endpoint, endpoints[endpoint])].defaultModel];
}

/** The type of an endpoint: a custom one states it in its config, the others have it as their name. */
export function endpointTypeOf(endpoint: string, config: EndpointConfig | undefined): EndpointType {
  return config?.type ?? (isEndpointType(endpoint) ? endpoint : 'custom');
}

/** What is not the name of a company, in the language of the page. */
const WORDS: Partial<Record<EndpointType, ParseKeys>> = {
  assistants: 'com_nav_assistants',
  gptPlugins: 'com_tools_source_plugin',
};

/** The display name of an endpoint; a custom endpoint has its own. */
export function endpointLabel(endpoint: string): string {
  if (!isEndpointType(endpoint)) return endpoint;
  const word = WORDS[endpoint];
  return word === undefined ? endpointTable[endpoint].label : i18n.t(word);
}

/** Where the operator sets the key of an endpoint: a variable or a file. */
export function keySettingOf(endpoint: string): string {
  return endpointTable[isEndpointType(endpoint) ? endpoint : 'custom'].keySetting;
}

function isEndpointType(name: string): name is EndpointType {
  return Object.hasOwn(endpointTable, name);
}

/** The requested model if offered, otherwise the last one used there, otherwise the first one. */
function withKnownModel(choice: Choice, catalog: Catalog, memory: LastChoices): Choice {
  const { endpoint, settings } = choice;
  const type = endpointTypeOf(endpoint, catalog.endpoints[endpoint]);
  // Whatever answers for an assistant is its own matter: its model may be of any endpoint.
  if (type === 'assistants') return { ...choice, settings: settings && carrySettings(type, choice.model, settings) };
  const offered = endpointModels(endpoint, catalog);
  const wishes = [choice.model, memory.lastModels.get(endpoint)];
  const known = wishes.find((wish) => typeof wish === 'string' && offered.includes(wish));
  const model = known ?? firstModel(offered, endpointTable[type].defaultModel);
  return { ...choice, model, settings: settings && carrySettings(type, model, settings) };
}

/** The first, whose operator ordered the list. Built-in lists begin with snapshots of the default model, which is meant. */
function firstModel(offered: readonly string[], defaultModel: string): string {
  const [first = defaultModel] = offered;
  return first.startsWith(`${defaultModel}-`) && offered.includes(defaultModel) ? defaultModel : first;
}
