import { typedKeys } from '@parley/schema/entries';
import { USER_PROVIDED, withoutTrailingSlash } from '../addresses.ts';
import type { Env, RawEnv } from '../env/env.ts';
import type { DeepReadonly } from '../freeze.ts';
import type { SEARCH_SERVICES } from '../env/tool-variables.ts';

type SearchService = keyof typeof SEARCH_SERVICES;

export type PluginsConfig = {
  /** The operator's values of the fields of plugins. */
  fields: Partial<Record<string, string>>;
  /** The addresses of services that search the web, without a trailing slash. */
  services: Record<SearchService, string>;
  /** Whether people can choose the plugins that are only an OpenAPI document of a service. */
  openApi: boolean;
  /** Addresses of such documents in place of their own, by the key of the plugin. */
  openApiDocuments: Record<string, string>;
  /** The search of the web asks these, too. */
  braveKey: string | undefined;
  searxngURL: string | undefined;
  /** Hosts whose pages models read unasked: `host`, `*.host`, or `*` for all. */
  webPageHosts: string[];
  /** The names of those values that administrators saved: addresses among them are called through the egress guard. */
  saved?: string[];
};

type SearchConfig = DeepReadonly<Pick<PluginsConfig, 'fields' | 'braveKey' | 'searxngURL'>>;

/** `fields` are the names of the fields. */
export function pluginsConfig(env: Env, raw: RawEnv, fields: readonly string[]): PluginsConfig {
  return {
    fields: fieldsOf(raw, fields),
    services: servicesOf(env),
    openApi: env.PLUGINS_OPENAPI ?? false,
    openApiDocuments: env.PLUGINS_OPENAPI_DOCUMENTS ?? {},
    braveKey: env.BRAVE_API_KEY,
    searxngURL: env.SEARXNG_URL && withoutTrailingSlash(env.SEARXNG_URL),
    webPageHosts: env.WEB_PAGE_HOSTS ?? [],
  };
}

/** Whether a service is set up that searches the web. */
export function hasWebSearch({ fields, braveKey, searxngURL }: SearchConfig): boolean {
  const { TAVILY_API_KEY, SERPAPI_API_KEY, GOOGLE_SEARCH_API_KEY, GOOGLE_CSE_ID } = fields;
  const hasGoogle = GOOGLE_SEARCH_API_KEY && GOOGLE_CSE_ID;
  return Boolean(TAVILY_API_KEY || SERPAPI_API_KEY || hasGoogle || braveKey || searxngURL);
}

function fieldsOf(raw: RawEnv, names: readonly string[]): PluginsConfig['fields'] {
  const given = [...names, 'OPENAI_API_KEY'].map((name) => [name, raw[name]?.trim()] as const);
  return Object.fromEntries(given.filter(([, value]) => value && value !== USER_PROVIDED));
}

function servicesOf(env: Env): PluginsConfig['services'] {
  const services = {
    GOOGLE_SEARCH_BASE_URL: env.GOOGLE_SEARCH_BASE_URL ?? 'https://www.googleapis.com',
    SERPAPI_BASE_URL: env.SERPAPI_BASE_URL ?? 'https://serpapi.com',
    TAVILY_BASE_URL: env.TAVILY_BASE_URL ?? 'https://api.tavily.com',
    BRAVE_BASE_URL: env.BRAVE_BASE_URL ?? 'https://api.search.brave.com',
  };
  for (const name of typedKeys(services)) services[name] = withoutTrailingSlash(services[name]);
  return services;
}
