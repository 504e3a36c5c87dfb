// What an administrator has written into the form, checked as one, with the key that is saved where none is given.
import { PROVIDER_KINDS } from '@parley/schema/catalog/provider-kinds';
import type { SaveProvider } from '@parley/schema/catalog/saved-providers';
import type * as z from 'zod';
import { toBaseUrl } from '../../config/addresses.ts';
import { ENDPOINT_WORDS } from '../../config/endpoint-names.ts';
import type { Encryption } from '../../keys/encryption.ts';
import { checkedBaseURL } from '../../platform/egress.ts';
import { refuse } from '../../platform/errors.ts';
import type { SavedProvider } from '../../providers/saved/saved-provider.ts';
import { decrypted, type StoredProvider } from './saved-rows.ts';

type Values = Omit<z.output<typeof SaveProvider>, 'version'>;

interface CheckDeps {
  encryption: Encryption;
  /** The operator's exemptions. */
  exempt: readonly string[];
}

/**
 * `stored` is what is saved under the name. Its key is used where none is given, and only for the address it was saved
 * for: anyone who may not read a key cannot have it sent elsewhere either.
 * @throws Refusal `invalid_input`, `forbidden_base_url`
 */
export function checkedValues(
  values: Values,
  stored: StoredProvider | undefined,
  { encryption, exempt }: CheckDeps,
): SavedProvider {
  const { name, type, models, fetchModels } = values;
  assertName(values);
  const place = placeOf(values, exempt);
  const before = stored && decrypted(stored, encryption);
  const isElsewhere = before?.baseURL !== place.baseURL || before?.azure?.instanceName !== place.azure?.instanceName;
  if (values.apiKey === undefined && before?.apiKey !== undefined && isElsewhere)
    invalid('Enter the key again: the address is another one.');
  const apiKey = values.apiKey ?? before?.apiKey;
  if (apiKey === undefined && needsKey(values)) invalid('This provider needs a key.');
  if (models.length === 0 && (!fetchModels || type === 'azureOpenAI')) invalid('Name at least one model.');
  return { name, type, ...place, models: [...new Set(models)], fetchModels, apiKey };
}

function assertName({ name, type }: Values): void {
  const isWord = [...ENDPOINT_WORDS, 'demo'].some((word) => word.toLowerCase() === name.toLowerCase());
  if (type === 'custom' && isWord) invalid('This name belongs to a built-in provider: choose another one.');
  if (type !== 'custom' && name !== type) invalid('A built-in provider has its own name.');
}

function placeOf(
  { type, baseURL, azure }: Values,
  exempt: readonly string[],
): Pick<SavedProvider, 'baseURL' | 'azure'> {
  switch (type) {
    case 'custom':
      if (baseURL === undefined) invalid('The provider needs an address.');
      return { baseURL: ofOllama(checkedBaseURL(baseURL, exempt)) };
    case 'azureOpenAI':
      return { azure: azure ?? invalid('Azure needs an instance, a deployment and a version.') };
    case 'openAI':
    case 'anthropic':
    case 'google':
      return {};
    default:
      return type satisfies never;
  }
}

/** Ollama's own page names its address without the path of OpenAI's protocol. */
function ofOllama(baseURL: string): string {
  const { port, pathname } = new URL(baseURL);
  return port === '11434' && pathname === '/' ? `${baseURL}/v1` : baseURL;
}

function needsKey({ type, baseURL = '' }: Values): boolean {
  if (type !== 'custom') return true;
  const host = new URL(toBaseUrl(baseURL)).host;
  return PROVIDER_KINDS.some(
    (kind) => kind.needsKey && kind.baseURL !== undefined && new URL(kind.baseURL).host === host,
  );
}

function invalid(text: string): never {
  return refuse({ type: 'invalid_input', text });
}
