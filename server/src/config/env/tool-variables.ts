// The variables of the search of the web, and those that plugins share.
import { credential, flag, hostPatterns, httpUrl, namedUrls } from './env-readers.ts';

/** The addresses of services that search the web, without the paths of their calls. */
export const SEARCH_SERVICES = {
  GOOGLE_SEARCH_BASE_URL: httpUrl,
  SERPAPI_BASE_URL: httpUrl,
  TAVILY_BASE_URL: httpUrl,
  BRAVE_BASE_URL: httpUrl,
};

/** In the order of .env.example. */
export const TOOL_VARIABLES = {
  ...SEARCH_SERVICES,
  PLUGINS_OPENAPI: flag,
  PLUGINS_OPENAPI_DOCUMENTS: namedUrls,
  BRAVE_API_KEY: credential,
  SEARXNG_URL: httpUrl,
  WEB_PAGE_HOSTS: hostPatterns,
};
