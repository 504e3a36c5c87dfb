// What is written into the form of a provider, and what is sent of it.
import { PROVIDER_KINDS, type ProviderKind } from '@parley/schema/catalog/provider-kinds';
import type { ProviderRow, TryProvider } from '@parley/schema/catalog/saved-providers';
import type { ParseKeys } from 'i18next';

/** Whatever is compatible with OpenAI: it has a name and an address of its own. */
export const OTHER: ProviderKind = { label: '', type: 'custom', needsKey: false };
export const KINDS: readonly ProviderKind[] = [...PROVIDER_KINDS, OTHER];

export interface FormValues {
  name: string;
  baseURL: string;
  apiKey: string;
  instanceName: string;
  deploymentName: string;
  version: string;
  /** Whether the provider is asked which models it has. */
  isFetched: boolean;
  /** One a line. */
  models: string;
  /** Those whose names say so are asked for pictures. */
  makesPictures: boolean;
}

export type FieldName = Exclude<keyof FormValues, 'isFetched' | 'makesPictures'>;
export type Saved = NonNullable<ProviderRow['saved']>;

/** The version of Azure's interface that most deployments answer to. */
const AZURE_VERSION = '2024-10-21';
/** The server keeps no more. */
const MODELS_MAX = 200;

export function newValues(kind: ProviderKind): FormValues {
  return {
    name: kind.label,
    baseURL: kind.baseURL ?? '',
    apiKey: '',
    instanceName: '',
    deploymentName: '',
    version: AZURE_VERSION,
    isFetched: kind.type !== 'azureOpenAI',
    models: '',
    makesPictures: false,
  };
}

export function savedValues(
  name: string,
  { baseURL = '', azure, fetchModels, models, makesPictures }: Saved,
): FormValues {
  return {
    name,
    baseURL,
    apiKey: '',
    instanceName: azure?.instanceName ?? '',
    deploymentName: azure?.deploymentName ?? '',
    version: azure?.version ?? AZURE_VERSION,
    isFetched: fetchModels,
    models: fetchModels ? '' : models.join('\n'),
    makesPictures,
  };
}

/** The kind of a provider that is saved. */
export function findProviderKind(name: string, { type, baseURL }: Saved): ProviderKind {
  const isIt = (kind: ProviderKind) => kind.type === type && (type !== 'custom' || kind.label === name);
  return KINDS.find((kind) => isIt(kind) && (kind.baseURL === baseURL || !kind.needsKey)) ?? OTHER;
}

/** Whether its address can be changed: those of companies are known. */
export function hasAddress({ type, needsKey }: ProviderKind): boolean {
  return type === 'custom' && !needsKey;
}

/** `found` are the models of its list: they are kept for when it cannot be fetched. */
export function providerInput(values: FormValues, { type }: ProviderKind, found: readonly string[]): TryProvider {
  const { name, baseURL, apiKey, instanceName, deploymentName, version, isFetched, makesPictures } = values;
  return {
    name: type === 'custom' ? name.trim() : type,
    type,
    ...(type === 'custom' && { baseURL: baseURL.trim() }),
    ...(type === 'azureOpenAI' && { azure: { instanceName, deploymentName, version } }),
    ...(apiKey.trim() !== '' && { apiKey: apiKey.trim() }),
    models: isFetched ? found.slice(0, MODELS_MAX) : lines(values.models).slice(0, MODELS_MAX),
    fetchModels: isFetched && type !== 'azureOpenAI',
    ...(makesPictures && { makesPictures }),
  };
}

/** What is wrong with each field. `edited` is what is saved; null for a new one. */
export function formErrors(
  values: FormValues,
  kind: ProviderKind,
  edited: { saved: Saved; hasKey: boolean } | null,
): Partial<Record<FieldName, ParseKeys>> {
  const { name, baseURL, apiKey, instanceName, deploymentName, version, isFetched, models } = values;
  const isKept = edited?.hasKey === true && apiKey.trim() === '';
  const isElsewhere =
    baseURL.trim() !== (edited?.saved.baseURL ?? '') || instanceName !== (edited?.saved.azure?.instanceName ?? '');
  const errors: Partial<Record<FieldName, ParseKeys | false>> = {
    ...(kind === OTHER && { name: name.trim() === '' && 'com_admin_providers_name_missing' }),
    ...(hasAddress(kind) && { baseURL: !isAddress(baseURL) && 'com_admin_providers_address_wrong' }),
    apiKey: keyError(apiKey.trim(), { isNeeded: kind.needsKey, isKept, isElsewhere }),
    ...(kind.type === 'azureOpenAI' && {
      instanceName: !/^[a-z\d-]+$/i.test(instanceName) && 'com_admin_providers_part_wrong',
      deploymentName: !/^[\w.-]+$/.test(deploymentName) && 'com_admin_providers_part_wrong',
      version: !/^[\w.-]+$/.test(version) && 'com_admin_providers_part_wrong',
    }),
    models: !isFetched && lines(models).length === 0 && 'com_admin_providers_models_missing',
  };
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error));
}

function keyError(
  key: string,
  { isNeeded, isKept, isElsewhere }: { isNeeded: boolean; isKept: boolean; isElsewhere: boolean },
): ParseKeys | false {
  if (isKept) return isElsewhere && 'com_admin_providers_key_elsewhere';
  if (key === '') return isNeeded && 'com_admin_providers_key_missing';
  return !/^[\x21-\x7e]+$/.test(key) && 'com_admin_providers_key_wrong';
}

function isAddress(text: string): boolean {
  return URL.canParse(text.trim()) && /^https?:\/\//i.test(text.trim());
}

function lines(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
