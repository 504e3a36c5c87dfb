// The variables of plugins and of the search of the web.
import {
  credential,
  flag,
  hostPatterns,
  integer,
  namedUrls,
  oneLine,
  oneOf,
  httpUrl,
  providerUrl,
  text,
} from './env-readers.ts';

/** What plugins need to sign in. Each may be `user_provided`, or be absent: then users save their own. */
export const PLUGIN_FIELD_VARIABLES = {
  TRAVERSAAL_API_KEY: credential,
  GOOGLE_CSE_ID: credential,
  GOOGLE_SEARCH_API_KEY: credential,
  WOLFRAM_APP_ID: credential,
  E2B_SERVER_URL: providerUrl,
  CODESHERPA_SERVER_URL: providerUrl,
  SERPAPI_API_KEY: credential,
  DALLE2_API_KEY: credential,
  DALLE3_API_KEY: credential,
  DALLE_API_KEY: credential,
  TAVILY_API_KEY: credential,
  SD_WEBUI_URL: providerUrl,
  ZAPIER_NLA_API_KEY: credential,
  AZURE_AI_SEARCH_SERVICE_ENDPOINT: providerUrl,
  AZURE_AI_SEARCH_INDEX_NAME: credential,
  AZURE_AI_SEARCH_API_KEY: credential,
};

/** The addresses of services, without the paths of their calls. */
export const SERVICE_VARIABLES = {
  TRAVERSAAL_BASE_URL: httpUrl,
  GOOGLE_SEARCH_BASE_URL: httpUrl,
  WOLFRAM_BASE_URL: httpUrl,
  SERPAPI_BASE_URL: httpUrl,
  TAVILY_BASE_URL: httpUrl,
  ZAPIER_NLA_BASE_URL: httpUrl,
  BRAVE_BASE_URL: httpUrl,
};

/** In the order of .env.example. */
export const TOOL_VARIABLES = {
  ...PLUGIN_FIELD_VARIABLES,
  ...SERVICE_VARIABLES,
  DALLE_REVERSE_PROXY: httpUrl,
  DALLE2_BASEURL: httpUrl,
  DALLE3_BASEURL: httpUrl,
  DALLE2_AZURE_API_VERSION: credential,
  DALLE3_AZURE_API_VERSION: credential,
  DALLE2_SYSTEM_PROMPT: text,
  DALLE3_SYSTEM_PROMPT: text,
  DALLE_MODEL: credential,
  AZURE_AI_SEARCH_API_VERSION: credential,
  AZURE_AI_SEARCH_SEARCH_OPTION_QUERY_TYPE: oneOf('simple', 'full', 'semantic'),
  AZURE_AI_SEARCH_SEARCH_OPTION_TOP: integer(1, 50),
  AZURE_AI_SEARCH_SEARCH_OPTION_SELECT: oneLine,
  PLUGINS_OPENAPI: flag,
  PLUGINS_OPENAPI_DOCUMENTS: namedUrls,
  BRAVE_API_KEY: credential,
  SEARXNG_URL: httpUrl,
  WEB_PAGE_HOSTS: hostPatterns,
};
