import { USER_PROVIDED, withoutTrailingSlash } from '../addresses.ts';
import type { Env, RawEnv } from '../env/env.ts';
import { PLUGIN_FIELD_VARIABLES, type SERVICE_VARIABLES } from '../env/tool-variables.ts';

/** What a plugin needs to sign in. OpenAI's key is the endpoint's. */
export type PluginField = keyof typeof PLUGIN_FIELD_VARIABLES | 'OPENAI_API_KEY';
export type ServiceVariable = keyof typeof SERVICE_VARIABLES;

export type PluginsConfig = {
  /** The operator's values. */
  fields: Partial<Record<PluginField, string>>;
  /** The addresses of services, without a trailing slash. */
  services: Record<ServiceVariable, string>;
  dalle2: DalleConfig;
  dalle3: DalleConfig;
  azureSearch: {
    apiVersion: string;
    queryType: 'simple' | 'full' | 'semantic';
    top: number;
    /** Columns, between commas; all when undefined. */
    select: string | undefined;
  };
  /** Whether people can choose the plugins that are only an OpenAPI document of a service. */
  openApi: boolean;
  /** Addresses of such documents in place of their own, by the key of the plugin. */
  openApiDocuments: Record<string, string>;
  /** The search of the web asks these, too. */
  braveKey: string | undefined;
  searxngURL: string | undefined;
  /** Hosts whose pages models read unasked: `host`, `*.host`, or `*` for all. */
  webPageHosts: string[];
};

export type DalleConfig = {
  baseURL: string;
  /** Set for a deployment at Azure, whose address is `baseURL`. */
  azureApiVersion: string | undefined;
  /** What the model gets of the tool; a text of ours when undefined. */
  description: string | undefined;
  /** The first that the key lists when undefined. */
  model: string | undefined;
};

const OPENAI = 'https://api.openai.com/v1';

export function pluginsConfig(env: Env, raw: RawEnv): PluginsConfig {
  const { AZURE_AI_SEARCH_SEARCH_OPTION_QUERY_TYPE: queryType, AZURE_AI_SEARCH_SEARCH_OPTION_TOP: top } = env;
  const proxy = env.DALLE_REVERSE_PROXY;
  return {
    fields: fieldsOf(env, raw),
    services: servicesOf(env),
    dalle2: {
      baseURL: imagesBaseOf(env.DALLE2_BASEURL ?? proxy ?? OPENAI),
      azureApiVersion: env.DALLE2_AZURE_API_VERSION,
      description: env.DALLE2_SYSTEM_PROMPT,
      model: 'dall-e-2',
    },
    dalle3: {
      baseURL: imagesBaseOf(env.DALLE3_BASEURL ?? proxy ?? OPENAI),
      azureApiVersion: env.DALLE3_AZURE_API_VERSION,
      description: env.DALLE3_SYSTEM_PROMPT,
      model: env.DALLE_MODEL,
    },
    azureSearch: {
      apiVersion: env.AZURE_AI_SEARCH_API_VERSION ?? '2023-11-01',
      queryType: queryType ?? 'simple',
      top: top ?? 5,
      select: env.AZURE_AI_SEARCH_SEARCH_OPTION_SELECT,
    },
    openApi: env.PLUGINS_OPENAPI ?? false,
    openApiDocuments: env.PLUGINS_OPENAPI_DOCUMENTS ?? {},
    braveKey: env.BRAVE_API_KEY,
    searxngURL: env.SEARXNG_URL && withoutTrailingSlash(env.SEARXNG_URL),
    webPageHosts: env.WEB_PAGE_HOSTS ?? [],
  };
}

/** The address of the call itself is accepted, too. */
function imagesBaseOf(url: string): string {
  return withoutTrailingSlash(withoutTrailingSlash(url).replace(/\/images\/generations$/, ''));
}

function fieldsOf(env: Env, raw: RawEnv): PluginsConfig['fields'] {
  const names = Object.keys(PLUGIN_FIELD_VARIABLES) as (keyof typeof PLUGIN_FIELD_VARIABLES)[];
  const given = [...names.map((name) => [name, env[name]]), ['OPENAI_API_KEY', raw.OPENAI_API_KEY?.trim()]];
  return Object.fromEntries(given.filter(([, value]) => value && value !== USER_PROVIDED));
}

function servicesOf(env: Env): PluginsConfig['services'] {
  const services = {
    TRAVERSAAL_BASE_URL: env.TRAVERSAAL_BASE_URL ?? 'https://api-ares.traversaal.ai',
    GOOGLE_SEARCH_BASE_URL: env.GOOGLE_SEARCH_BASE_URL ?? 'https://www.googleapis.com',
    WOLFRAM_BASE_URL: env.WOLFRAM_BASE_URL ?? 'https://www.wolframalpha.com',
    SERPAPI_BASE_URL: env.SERPAPI_BASE_URL ?? 'https://serpapi.com',
    TAVILY_BASE_URL: env.TAVILY_BASE_URL ?? 'https://api.tavily.com',
    ZAPIER_NLA_BASE_URL: env.ZAPIER_NLA_BASE_URL ?? 'https://nla.zapier.com',
    BRAVE_BASE_URL: env.BRAVE_BASE_URL ?? 'https://api.search.brave.com',
  };
  for (const name of Object.keys(services) as ServiceVariable[]) services[name] = withoutTrailingSlash(services[name]);
  return services;
}
