import { readModelList, type ModelSource } from '../model-source.ts';

export function anthropicModels(baseURL: string, apiKey: string): ModelSource {
  const headers = { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  return { url: `${baseURL}/v1/models?limit=1000`, headers, read: readModelList };
}

/**
 * The models offered when neither the configuration nor Anthropic lists any (docs/rest-compat.md, Models and windows).
 */
export const ANTHROPIC_MODELS = [
  'claude-3-opus-20240229',
  'claude-3-sonnet-20240229',
  'claude-3-haiku-20240307',
  'claude-2.1',
  'claude-2',
  'claude-1.2',
  'claude-1',
  'claude-1-100k',
  'claude-instant-1',
  'claude-instant-1-100k',
];
