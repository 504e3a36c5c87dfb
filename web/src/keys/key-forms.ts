// What is asked for a key, by the kind of its endpoint, and how it is written to be saved (C.9 of the REST facts).
import './lazy-words.ts';
import type { EndpointType } from '@parley/schema/endpoints';
import type { ParseKeys } from 'i18next';
import type { GoogleKeyFile } from './google-key-file.ts';

export type FieldName =
  | 'apiKey'
  | 'baseURL'
  | 'azureOpenAIApiKey'
  | 'azureOpenAIApiInstanceName'
  | 'azureOpenAIApiDeploymentName'
  | 'azureOpenAIApiVersion'
  | 'GOOGLE_API_KEY';

export interface KeyField {
  name: FieldName;
  label: ParseKeys;
  isSecret: boolean;
  hint?: ParseKeys;
}

export type Kind = 'openAI' | 'azure' | 'google' | 'word';

export interface KeyForm {
  kind: Kind;
  fields: readonly KeyField[];
}

/** What has been filled in. */
export interface Filled {
  words: Partial<Record<FieldName, string>>;
  /** Of Google's. */
  file: GoogleKeyFile | null;
}

const API_KEY: KeyField = { name: 'apiKey', label: 'com_endpoint_config_key_name', isSecret: true };
const TOKEN: KeyField = { ...API_KEY, label: 'com_endpoint_config_key_token' };
const BASE_URL: KeyField = {
  name: 'baseURL',
  label: 'com_endpoint_config_key_url',
  isSecret: false,
  hint: 'com_endpoint_config_key_url_hint',
};
const AZURE: readonly KeyField[] = [
  { name: 'azureOpenAIApiKey', label: 'com_endpoint_config_key_azure', isSecret: true },
  { name: 'azureOpenAIApiInstanceName', label: 'com_endpoint_config_key_azure_instance', isSecret: false },
  { name: 'azureOpenAIApiDeploymentName', label: 'com_endpoint_config_key_azure_deployment', isSecret: false },
  { name: 'azureOpenAIApiVersion', label: 'com_endpoint_config_key_azure_version', isSecret: false },
];
const GOOGLE: KeyField = { name: 'GOOGLE_API_KEY', label: 'com_endpoint_config_google_api_key', isSecret: true };

/** `asksURL`: the address is the user's, too. */
export function keyFormOf(type: EndpointType, asksURL: boolean): KeyForm {
  switch (type) {
    case 'openAI':
    case 'custom':
    case 'gptPlugins':
    case 'assistants':
      return { kind: 'openAI', fields: asksURL ? [API_KEY, BASE_URL] : [API_KEY] };
    case 'azureOpenAI':
      return { kind: 'azure', fields: AZURE };
    case 'google':
      return { kind: 'google', fields: [GOOGLE] };
    case 'anthropic':
      return { kind: 'word', fields: [API_KEY] };
    case 'bingAI':
    case 'chatGPTBrowser':
      return { kind: 'word', fields: [TOKEN] };
    default:
      return type satisfies never;
  }
}

/** The fields that are still wanted. Of Google's two keys either will do. */
export function missingFields({ kind, fields }: KeyForm, { words, file }: Filled): readonly KeyField[] {
  return kind === 'google' && file ? [] : fields.filter(({ name }) => !words[name]?.trim());
}

/** What is saved. */
export function valueOf({ kind }: KeyForm, { words, file }: Filled): string {
  const word = (name: FieldName) => words[name]?.trim() ?? '';
  switch (kind) {
    case 'openAI':
      return JSON.stringify({ apiKey: word('apiKey'), baseURL: word('baseURL') });
    case 'azure':
      return JSON.stringify({ apiKey: JSON.stringify(azureOf(word)), baseURL: '' });
    case 'google':
      return JSON.stringify({
        ...(file && { GOOGLE_SERVICE_KEY: file }),
        ...(word('GOOGLE_API_KEY') !== '' && { GOOGLE_API_KEY: word('GOOGLE_API_KEY') }),
      });
    case 'word':
      return word('apiKey');
    default:
      return kind satisfies never;
  }
}

/** What stands in the place of Azure's key: its four values together. */
function azureOf(word: (name: FieldName) => string): Record<string, string> {
  return Object.fromEntries(AZURE.map(({ name }) => [name, word(name)]));
}
