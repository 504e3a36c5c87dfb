// What plugins ask for, in the reader's language. Ids are called what the makers of the service call them.
import type { PluginField } from '@parley/schema/tools/plugins';
import type { ParseKeys, TFunction } from 'i18next';

interface Words {
  key: ParseKeys;
  /** Names that no language translates. */
  0?: string;
}

/** By the names of the fields, which are those of `server/src/plugins/manifest.ts`. */
const LABELS: Readonly<Record<string, Words>> = {
  TRAVERSAAL_API_KEY: { key: 'com_plugin_field_key', 0: 'Traversaal' },
  GOOGLE_SEARCH_API_KEY: { key: 'com_plugin_field_key', 0: 'Google' },
  E2B_SERVER_URL: { key: 'com_plugin_field_server', 0: 'E2B' },
  CODESHERPA_SERVER_URL: { key: 'com_plugin_field_server', 0: 'CodeSherpa' },
  SERPAPI_API_KEY: { key: 'com_plugin_field_key', 0: 'SerpAPI' },
  DALLE2_API_KEY: { key: 'com_plugin_field_key', 0: 'OpenAI' },
  DALLE3_API_KEY: { key: 'com_plugin_field_key', 0: 'OpenAI' },
  TAVILY_API_KEY: { key: 'com_plugin_field_key', 0: 'Tavily' },
  SD_WEBUI_URL: { key: 'com_plugin_field_url', 0: 'Stable Diffusion' },
  ZAPIER_NLA_API_KEY: { key: 'com_plugin_field_key', 0: 'Zapier NLA' },
  AZURE_AI_SEARCH_SERVICE_ENDPOINT: { key: 'com_plugin_field_endpoint', 0: 'Azure AI Search' },
  AZURE_AI_SEARCH_INDEX_NAME: { key: 'com_plugin_field_index', 0: 'Azure AI Search' },
  AZURE_AI_SEARCH_API_KEY: { key: 'com_plugin_field_key', 0: 'Azure AI Search' },
};

const HINTS: Readonly<Record<string, Words>> = {
  TRAVERSAAL_API_KEY: { key: 'com_plugin_hint_account', 0: 'api.traversaal.ai' },
  GOOGLE_CSE_ID: { key: 'com_plugin_hint_engine', 0: 'programmablesearchengine.google.com' },
  GOOGLE_SEARCH_API_KEY: { key: 'com_plugin_hint_custom_search', 0: 'console.cloud.google.com' },
  WOLFRAM_APP_ID: { key: 'com_plugin_hint_app_id', 0: 'developer.wolframalpha.com' },
  E2B_SERVER_URL: { key: 'com_plugin_hint_server' },
  CODESHERPA_SERVER_URL: { key: 'com_plugin_hint_server' },
  SERPAPI_API_KEY: { key: 'com_plugin_hint_account', 0: 'serpapi.com' },
  DALLE2_API_KEY: { key: 'com_plugin_hint_dalle2', 0: 'dall-e-2' },
  DALLE3_API_KEY: { key: 'com_plugin_hint_images' },
  TAVILY_API_KEY: { key: 'com_plugin_hint_account', 0: 'tavily.com' },
  SD_WEBUI_URL: { key: 'com_plugin_hint_webui', 0: '--api' },
  ZAPIER_NLA_API_KEY: { key: 'com_plugin_hint_account', 0: 'nla.zapier.com' },
  AZURE_AI_SEARCH_INDEX_NAME: { key: 'com_plugin_hint_index' },
  AZURE_AI_SEARCH_API_KEY: { key: 'com_plugin_hint_query_key' },
};

export function fieldLabel({ field, label }: Pick<PluginField, 'field' | 'label'>, t: TFunction): string {
  return sentenceOf(LABELS, field, t) ?? label;
}

/** Its words come with those of the store. */
export function fieldHint({ field, description }: Pick<PluginField, 'field' | 'description'>, t: TFunction): string {
  return sentenceOf(HINTS, field, t) ?? description;
}

function sentenceOf(words: Readonly<Record<string, Words>>, field: string, t: TFunction): string | null {
  const [name = ''] = field.split('||');
  const found = Object.hasOwn(words, name) ? words[name] : undefined;
  return found ? t(found.key, { 0: found[0] }) : null;
}
