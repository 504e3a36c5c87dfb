// The plugins in the order of the store. Each has a file in tools/; its key is the name of the list in
// plugin-tools.ts. A service whose address an operator may change names its variable here.
import type { PluginField } from '../config/parts/plugins.ts';
import type { ManifestField, ManifestPlugin } from './manifest-plugin.ts';
import { OPEN_API_PLUGINS } from './open-api-plugins.ts';

const TOOLS: readonly ManifestPlugin[] = [
  {
    key: 'traversaal_search',
    name: 'Traversaal',
    description: 'Searches the web with Traversaal and answers in a few sentences, with the pages it read.',
    fields: [field('TRAVERSAAL_API_KEY', 'Traversaal API key', 'The key of your account at api.traversaal.ai.')],
    service: 'TRAVERSAAL_BASE_URL',
    isForAssistants: true,
  },
  {
    key: 'google',
    name: 'Google',
    description: 'Searches the web with a programmable search engine of Google, which Google ends on 1 January 2027.',
    fields: [
      field(
        'GOOGLE_CSE_ID',
        'Google CSE ID',
        'The id of your search engine, from programmablesearchengine.google.com.',
      ),
      field(
        'GOOGLE_SEARCH_API_KEY',
        'Google API key',
        'A key of the Custom Search API, from console.cloud.google.com.',
      ),
    ],
    service: 'GOOGLE_SEARCH_BASE_URL',
    isForAssistants: true,
  },
  {
    key: 'wolfram',
    name: 'Wolfram',
    description: 'Asks Wolfram|Alpha for computed answers: mathematics, units, science, geography, dates.',
    fields: [field('WOLFRAM_APP_ID', 'Wolfram App ID', 'An App ID of the LLM API, from developer.wolframalpha.com.')],
    service: 'WOLFRAM_BASE_URL',
    isForAssistants: true,
  },
  {
    key: 'e2b_code_interpreter',
    name: 'E2B Code Interpreter',
    description: 'Runs commands and reads and writes files on a server of your own with the interface of E2B.',
    fields: [address('E2B_SERVER_URL', 'E2B server URL', 'The address of your server.')],
    isForAssistants: false,
  },
  {
    key: 'codesherpa_tools',
    name: 'CodeSherpa',
    description: 'Runs Python and commands on a server of your own with the interface of CodeSherpa.',
    fields: [address('CODESHERPA_SERVER_URL', 'CodeSherpa server URL', 'The address of your server.')],
    isForAssistants: false,
  },
  {
    key: 'web-browser',
    name: 'Browser',
    description: 'Opens a page of the web and quotes the passages that a question is about.',
    fields: [
      { ...field('OPENAI_API_KEY', 'OpenAI API key', 'Not needed: pages are read without it.'), isOptional: true },
    ],
    isForAssistants: false,
  },
  {
    key: 'serpapi',
    name: 'Serpapi',
    description: 'Searches the web by SerpAPI, which reads the pages of search engines.',
    fields: [field('SERPAPI_API_KEY', 'SerpAPI API key', 'The key of your account at serpapi.com.')],
    service: 'SERPAPI_BASE_URL',
    isForAssistants: false,
  },
  {
    key: 'dall-e',
    name: 'DALL-E',
    description: 'Makes pictures of 512 by 512 pixels with DALL-E 2, where it is still offered.',
    fields: [field(['DALLE2_API_KEY', 'DALLE_API_KEY'], 'OpenAI API key', 'A key that may use the model dall-e-2.')],
    isForAssistants: false,
  },
  {
    key: 'dalle',
    name: 'DALL-E-3',
    description: 'Makes pictures with DALL-E 3, or with the image model that your key offers in its place.',
    fields: [field(['DALLE3_API_KEY', 'DALLE_API_KEY'], 'OpenAI API key', 'A key that may make images.')],
    isForAssistants: true,
  },
  {
    key: 'tavily_search_results_json',
    name: 'Tavily Search',
    description: 'Searches the web with Tavily, which is made for language models.',
    fields: [field('TAVILY_API_KEY', 'Tavily API key', 'The key of your account at tavily.com.')],
    service: 'TAVILY_BASE_URL',
    isForAssistants: true,
  },
  {
    key: 'calculator',
    name: 'Calculator',
    description: 'Computes expressions exactly: arithmetic, functions, units, matrices.',
    fields: [],
    isForAssistants: true,
    isBuiltin: true,
  },
  {
    key: 'stable-diffusion',
    name: 'Stable Diffusion',
    description: 'Makes pictures with a Stable Diffusion web UI of your own.',
    fields: [address('SD_WEBUI_URL', 'Stable Diffusion URL', 'The address of a web UI that was started with --api.')],
    isForAssistants: true,
  },
  {
    key: 'zapier',
    name: 'Zapier',
    description: 'Runs actions of other apps by Zapier’s natural language API.',
    fields: [field('ZAPIER_NLA_API_KEY', 'Zapier NLA API key', 'The key of your account at nla.zapier.com.')],
    service: 'ZAPIER_NLA_BASE_URL',
    isForAssistants: false,
    ended: {
      text: 'Zapier has ended this service. Zapier’s MCP server does the same.',
      why: { type: 'service_moved', name: 'Zapier' },
    },
  },
  {
    key: 'azure-ai-search',
    name: 'Azure AI Search',
    description: 'Searches an index of Azure AI Search.',
    fields: [
      address('AZURE_AI_SEARCH_SERVICE_ENDPOINT', 'Azure AI Search endpoint', 'https://<service>.search.windows.net'),
      field('AZURE_AI_SEARCH_INDEX_NAME', 'Azure AI Search index name', 'The name of the index.'),
      field('AZURE_AI_SEARCH_API_KEY', 'Azure AI Search API key', 'A query key of the service.'),
    ],
    isForAssistants: true,
  },
  {
    key: 'CodeBrew',
    name: 'CodeBrew',
    description: 'Plays a terminal: the model tells what a program would print. Nothing is run.',
    fields: [],
    isForAssistants: false,
  },
];

export const PLUGINS: readonly ManifestPlugin[] = [...OPEN_API_PLUGINS, ...TOOLS];

/** The plugin with this key; undefined when there is none. */
export function findPlugin(key: string): ManifestPlugin | undefined {
  return PLUGINS.find((plugin) => plugin.key === key);
}

/** The names by key, as existing clients show calls of their tools. */
export function pluginNames(): Record<string, string> {
  return Object.fromEntries(PLUGINS.map(({ key, name }) => [key, name]));
}

function field(names: PluginField | ManifestField['names'], label: string, description: string): ManifestField {
  return { names: typeof names === 'string' ? [names] : names, label, description };
}

function address(name: PluginField, label: string, description: string): ManifestField {
  return { ...field(name, label, description), isAddress: true };
}
