// What plugins ask for, in the reader's language. Ids are called what the makers of the service call them.
import type { PluginField } from '@parley/schema/tools/plugins';
import type { ParseKeys, TFunction } from 'i18next';

/** A sentence, and the name in it that no language translates. */
type Words = readonly [key: ParseKeys, name?: string];

/** By the names of the fields, which are those of `server/src/plugins/manifest.ts`. */
const WORDS: Readonly<Record<string, { label?: Words; hint?: Words }>> = {
  TRAVERSAAL_API_KEY: {
    label: ['com_plugin_field_key', 'Traversaal'],
    hint: ['com_plugin_hint_account', 'api.traversaal.ai'],
  },
  GOOGLE_CSE_ID: { hint: ['com_plugin_hint_engine', 'programmablesearchengine.google.com'] },
  GOOGLE_SEARCH_API_KEY: {
    label: ['com_plugin_field_key', 'Google'],
    hint: ['com_plugin_hint_custom_search', 'console.cloud.google.com'],
  },
  WOLFRAM_APP_ID: { hint: ['com_plugin_hint_app_id', 'developer.wolframalpha.com'] },
  E2B_SERVER_URL: { label: ['com_plugin_field_server', 'E2B'], hint: ['com_plugin_hint_server'] },
  CODESHERPA_SERVER_URL: { label: ['com_plugin_field_server', 'CodeSherpa'], hint: ['com_plugin_hint_server'] },
  SERPAPI_API_KEY: { label: ['com_plugin_field_key', 'SerpAPI'], hint: ['com_plugin_hint_account', 'serpapi.com'] },
  DALLE2_API_KEY: { label: ['com_plugin_field_key', 'OpenAI'], hint: ['com_plugin_hint_dalle2', 'dall-e-2'] },
  DALLE3_API_KEY: { label: ['com_plugin_field_key', 'OpenAI'], hint: ['com_plugin_hint_images'] },
  TAVILY_API_KEY: { label: ['com_plugin_field_key', 'Tavily'], hint: ['com_plugin_hint_account', 'tavily.com'] },
  SD_WEBUI_URL: { label: ['com_plugin_field_url', 'Stable Diffusion'], hint: ['com_plugin_hint_webui', '--api'] },
  ZAPIER_NLA_API_KEY: {
    label: ['com_plugin_field_key', 'Zapier NLA'],
    hint: ['com_plugin_hint_account', 'nla.zapier.com'],
  },
  AZURE_AI_SEARCH_INDEX_NAME: { label: ['com_plugin_field_index', 'Azure AI Search'], hint: ['com_plugin_hint_index'] },
  AZURE_AI_SEARCH_API_KEY: { label: ['com_plugin_field_key', 'Azure AI Search'], hint: ['com_plugin_hint_query_key'] },
  AZURE_AI_SEARCH_SERVICE_ENDPOINT: { label: ['com_plugin_field_endpoint', 'Azure AI Search'] },
};

export function fieldLabel({ field, label }: Pick<PluginField, 'field' | 'label'>, t: TFunction): string {
  return say(wordsOf(field).label, t) ?? label;
}

/** Its words come with those of the store. */
export function fieldHint({ field, description }: Pick<PluginField, 'field' | 'description'>, t: TFunction): string {
  return say(wordsOf(field).hint, t) ?? description;
}

function wordsOf(field: string): { label?: Words; hint?: Words } {
  const [name = ''] = field.split('||');
  return (Object.hasOwn(WORDS, name) && WORDS[name]) || {};
}

function say(words: Words | undefined, t: TFunction): string | undefined {
  return words && t(words[0], { 0: words[1] });
}
