// Custom endpoints of the yaml file: any OpenAI-compatible provider, and Cohere.
import { toBaseUrl } from '../../config/addresses.ts';
import { resolveAddress, readCredential, type Address, type Credential } from '../../config/credentials.ts';
import { readSummaries, type Summaries } from '../../config/summaries.ts';
import { titleModelOf, type Titles } from '../../config/titles.ts';
import type { CustomYaml } from '../../config/yaml/yaml-schema.ts';
import { streamCohere } from '../cohere/stream.ts';
import { createRefusals } from '../compatible/refusals.ts';
import { defineCustomProvider, type ConfigSources } from '../define-provider.ts';
import type { EndpointDefinition, EndpointDeps } from '../endpoint.ts';
import type { ModelSource, UserModelSource } from '../model-source.ts';
import { ollamaModels } from '../ollama/models.ts';
import { openAIModels } from '../openai/models.ts';
import { openAIPicture } from '../openai/pictures.ts';
import { openAIStream } from '../openai/stream.ts';
import { NOTHING_ADDED, type ProviderTarget } from '../provider.ts';
import { resolveTarget } from '../resolve-target.ts';
import type { PlacedProvider } from '../saved/saved-provider.ts';
import { nullWhenRefused, withoutPrices } from '../user-models.ts';
import { knownProviderOf } from './known-providers.ts';
import { isLocalServer } from './local-server.ts';

interface CustomEntry {
  name: string;
  order: number;
  key: Credential;
  baseURL: Address;
  models: { default: string[]; fetch: boolean; userIdQuery: boolean };
  /** Which of them make pictures; true: those whose names say so. */
  pictures: true | string[] | undefined;
  modelDisplayLabel: string | undefined;
  iconURL: string | undefined;
  headers: Record<string, string>;
  /** Merged into each request, then `dropParams` are removed from it. */
  addParams: Record<string, unknown>;
  dropParams: string[];
  titles: Titles;
  summaries: Summaries;
  /** Use the completions call instead of the chat. */
  forcePrompt: boolean;
}

export const custom = defineCustomProvider({
  type: 'custom',
  configure: (from) => (from.yaml.endpoints?.custom ?? []).map((entry) => entryOf(entry, from)),
  configureSaved: (from) => (from.saved ?? []).map((saved) => savedEntry(saved, from)),
  // A user who sets the address also brings the key.
  keySource: ({ key, baseURL }) => (baseURL.from === 'user' ? 'user' : key.from),
  endpoint,
  stream: openAIStream('custom'),
  pictures: openAIPicture,
});

function entryOf(entry: CustomYaml, { order, titlesEnabled }: ConfigSources): CustomEntry {
  const { fetch = false, userIdQuery = false } = entry.models;
  return {
    name: entry.name,
    order: entry.customOrder ?? order,
    key: readCredential(entry.apiKey),
    baseURL: resolveAddress(entry.baseURL),
    models: { default: entry.models.default, fetch, userIdQuery },
    pictures: entry.images || undefined,
    modelDisplayLabel: entry.modelDisplayLabel,
    iconURL: entry.iconURL,
    headers: entry.headers ?? {},
    addParams: entry.addParams ?? {},
    dropParams: entry.dropParams ?? [],
    titles: {
      enabled: titlesEnabled && (entry.titleConvo ?? true),
      method: entry.titleMethod ?? 'completion',
      model: titleModelOf(entry.titleModel),
    },
    summaries: readSummaries(entry.summarize, entry.summaryModel),
    forcePrompt: entry.forcePrompt ?? false,
  };
}

/** Without a key it is sent a word, as its protocol has a place for one. */
const NO_KEY = 'none';

function savedEntry(saved: PlacedProvider, { titlesEnabled }: ConfigSources): CustomEntry {
  const { name, order, apiKey, baseURL = '', models, fetchModels } = saved;
  return {
    name,
    order,
    key: { from: 'server', apiKey: apiKey ?? NO_KEY },
    baseURL: { from: 'server', url: toBaseUrl(baseURL), isGuarded: true },
    models: { default: [...models], fetch: fetchModels, userIdQuery: false },
    pictures: saved.makesPictures ? true : undefined,
    modelDisplayLabel: undefined,
    iconURL: undefined,
    ...NOTHING_ADDED,
    titles: { enabled: titlesEnabled, method: 'completion', model: { use: 'current' } },
    summaries: { enabled: false },
    forcePrompt: false,
  };
}

function endpoint(entry: CustomEntry, deps: EndpointDeps): EndpointDefinition {
  const { name, key, baseURL } = entry;
  const known = knownProviderOf(name, baseURL.from === 'server' ? baseURL.url : null);
  const siteHeaders: Record<string, string> = known?.sendsSiteHeaders
    ? { 'HTTP-Referer': deps.site.url, 'X-Title': deps.site.title }
    : {};
  const refusals = createRefusals(name, deps.refusals);
  return {
    name,
    config: {
      type: 'custom',
      userProvide: key.from === 'user',
      userProvideURL: baseURL.from === 'user',
      ...(entry.modelDisplayLabel !== undefined && { modelDisplayLabel: entry.modelDisplayLabel }),
      ...(entry.iconURL !== undefined && { iconURL: entry.iconURL }),
      ...(entry.pictures && { pictures: entry.pictures }),
      order: entry.order,
    },
    titles: entry.titles,
    summaries: entry.summaries,
    ...(known?.protocol === 'cohere' && { stream: streamCohere, hasOwnProtocol: true as const }),
    isLocal: baseURL.from === 'server' && isLocalServer(name, baseURL.url),
    models: { known: entry.models.default, source: sourceOf(entry, deps) },
    // Behind the addresses of users are many servers.
    ...(baseURL.from === 'server' && { leftOut: refusals.list }),
    async target(userId) {
      const { headers, addParams, dropParams, forcePrompt } = entry;
      const resolved = await resolveTarget({ name, key, baseURL }, userId, deps);
      return {
        endpoint: name,
        ...resolved,
        isCompatible: !isOfTheProtocol(resolved.baseURL),
        refusals,
        // Configured headers may hold a server key, which never goes to a user's address.
        headers: baseURL.from === 'user' ? siteHeaders : { ...siteHeaders, ...headersFor(headers, userId) },
        addParams,
        dropParams,
        forcePrompt,
        ...(known && { quirks: known }),
      };
    },
  };
}

/** LibreChat's word for the id of the person who asks; its other words are left out with the file. */
const USER_ID = '{{LIBRECHAT_USER_ID}}';

function headersFor(headers: Record<string, string>, userId: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll(USER_ID, userId)]));
}

/** OpenAI and Azure may be set up as custom endpoints, too. */
const OWN_HOSTS = ['openai.com', 'azure.com'];

function isOfTheProtocol(url: string): boolean {
  const { hostname } = new URL(url);
  return OWN_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}

function sourceOf(entry: CustomEntry, deps: EndpointDeps): ModelSource | UserModelSource | null {
  const { name, key, baseURL, models } = entry;
  if (!models.fetch) return null;
  if (key.from === 'server' && baseURL.from === 'server')
    return listAt(entry, baseURL.url, {
      baseURL: baseURL.url,
      apiKey: key.apiKey,
      ...(baseURL.isGuarded && { fetch: deps.savedEgress.fetch }),
    });
  return nullWhenRefused(async (userId) => {
    const resolved = await resolveTarget({ name, key, baseURL }, userId, deps);
    const source = listAt(entry, baseURL.from === 'server' ? baseURL.url : null, resolved);
    return source && baseURL.from === 'user' ? withoutPrices(source) : source;
  });
}

/** `knownBy` is the address that identifies a known provider. */
function listAt(
  { name, models }: CustomEntry,
  knownBy: string | null,
  { baseURL, apiKey, fetch }: Pick<ProviderTarget, 'baseURL' | 'apiKey' | 'fetch'>,
): ModelSource | null {
  const own = { byUser: models.userIdQuery, ...(fetch && { fetch }) };
  switch (knownProviderOf(name, knownBy)?.models) {
    case 'none':
      return null;
    case 'ollama':
      return { ...ollamaModels(baseURL), ...own, byUser: false };
    default:
      return { ...openAIModels(baseURL, apiKey), ...own };
  }
}
