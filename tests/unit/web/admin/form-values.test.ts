// What is written into the form of a provider: what is wrong with it, and what is sent of it.
import { describe, expect, it } from 'vitest';
import {
  formErrors,
  findProviderKind,
  KINDS,
  newValues,
  OTHER,
  providerInput,
  savedValues,
  type FormValues,
  type Saved,
} from '../../../../web/src/admin/providers/form/form-values.ts';

const kind = (label: string) => KINDS.find((one) => one.label === label) ?? OTHER;
const saved = (over: Partial<Saved> = {}): Saved => ({
  type: 'custom',
  version: 3,
  isOn: true,
  changedBy: 'Ada',
  changedAt: '2026-11-27T10:00:00.000Z',
  baseURL: 'https://models.example/v1',
  models: ['one', 'two'],
  fetchModels: true,
  makesPictures: false,
  ...over,
});
const written = (label: string, over: Partial<FormValues> = {}) => ({ ...newValues(kind(label)), ...over });

describe('the form of a provider', () => {
  it('wants a key where the kind has keys, and only there', () => {
    expect(formErrors(written('OpenAI'), kind('OpenAI'), null)).toEqual({ apiKey: 'com_admin_providers_key_missing' });
    expect(formErrors(written('OpenAI', { apiKey: 'sk-1' }), kind('OpenAI'), null)).toEqual({});
    expect(formErrors(written('Ollama'), kind('Ollama'), null)).toEqual({});
    expect(formErrors(written('OpenAI', { apiKey: 'two words' }), kind('OpenAI'), null)).toEqual({
      apiKey: 'com_admin_providers_key_wrong',
    });
  });

  it('wants a name and an address of what is compatible, and a model where none is fetched', () => {
    expect(formErrors(written('', { baseURL: 'models.example', isFetched: false }), OTHER, null)).toEqual({
      name: 'com_admin_providers_name_missing',
      baseURL: 'com_admin_providers_address_wrong',
      models: 'com_admin_providers_models_missing',
    });
  });

  it('keeps a saved key, but for another address', () => {
    const edited = { saved: saved(), hasKey: true };
    const values = savedValues('Ours', edited.saved);
    expect(formErrors(values, OTHER, edited)).toEqual({});
    expect(formErrors({ ...values, baseURL: 'https://other.example/v1' }, OTHER, edited)).toEqual({
      apiKey: 'com_admin_providers_key_elsewhere',
    });
  });

  it('sends what the kind has, with the models that were found', () => {
    expect(providerInput(written('Mistral', { apiKey: ' sk-1 ' }), kind('Mistral'), ['a'])).toEqual({
      name: 'Mistral',
      type: 'custom',
      baseURL: 'https://api.mistral.ai/v1',
      apiKey: 'sk-1',
      models: ['a'],
      fetchModels: true,
    });
    const azure = { instanceName: 'ours', deploymentName: 'main', apiKey: 'k', models: 'gpt-4o' };
    expect(providerInput(written('Azure OpenAI', azure), kind('Azure OpenAI'), [])).toEqual({
      name: 'azureOpenAI',
      type: 'azureOpenAI',
      azure: { instanceName: 'ours', deploymentName: 'main', version: '2024-10-21' },
      apiKey: 'k',
      models: ['gpt-4o'],
      fetchModels: false,
    });
    const named = written('', { name: ' Ours ', isFetched: false, models: 'one\n two,\n\nthree' });
    expect(providerInput(named, OTHER, ['a'])).toMatchObject({ name: 'Ours', models: ['one', 'two', 'three'] });
  });

  it('knows again what is saved', () => {
    expect(findProviderKind('openAI', saved({ type: 'openAI', baseURL: undefined })).label).toBe('OpenAI');
    expect(findProviderKind('Mistral', saved({ baseURL: 'https://api.mistral.ai/v1' })).label).toBe('Mistral');
    expect(findProviderKind('Ollama', saved({ baseURL: 'http://gpu.lan:11434/v1' })).label).toBe('Ollama');
    expect(findProviderKind('Mistral', saved())).toBe(OTHER);
    expect(savedValues('Ours', saved({ fetchModels: false })).models).toBe('one\ntwo');
  });
});
