// The form fields of a key, by endpoint type, and the stored format (docs/rest-compat.md, Keys of users).
import { endpointTable, type EndpointRow, type EndpointType } from '@parley/schema/catalog/endpoints';
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

/** The current input. */
export interface Filled {
  words: Partial<Record<FieldName, string>>;
  /** Google only. */
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

/** `asksURL`: the user also sets the base URL. */
export function keyFormOf(type: EndpointType, asksURL: boolean): KeyForm {
  const { keyForm }: EndpointRow = endpointTable[type];
  switch (keyForm) {
    case 'openAI':
      return { kind: 'openAI', fields: asksURL ? [API_KEY, BASE_URL] : [API_KEY] };
    case 'azure':
      return { kind: 'azure', fields: AZURE };
    case 'google':
      return { kind: 'google', fields: [GOOGLE] };
    case 'key':
      return { kind: 'word', fields: [API_KEY] };
    case 'token':
      return { kind: 'word', fields: [TOKEN] };
    default:
      return keyForm satisfies never;
  }
}

/** The empty required fields. For Google, either of the two keys is enough. */
export function missingFields({ kind, fields }: KeyForm, { words, file }: Filled): readonly KeyField[] {
  return kind === 'google' && file ? [] : fields.filter(({ name }) => !words[name]?.trim());
}

/** The stored value. */
export function storedKeyValue({ kind }: KeyForm, { words, file }: Filled): string {
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

/** The four Azure values combined, in place of a key. */
function azureOf(word: (name: FieldName) => string): Record<string, string> {
  return Object.fromEntries(AZURE.map(({ name }) => [name, word(name)]));
}
