// The providers that an administrator can add, as the page offers them.
import type { EndpointType } from './endpoints.ts';

/** The endpoint types that can be added; `custom` is whatever is compatible with OpenAI. */
export const SAVED_TYPES = ['openAI', 'anthropic', 'google', 'azureOpenAI', 'custom'] as const;
export type SavedType = Extract<EndpointType, (typeof SAVED_TYPES)[number]>;

export interface ProviderKind {
  /** Of the company, and the name of its endpoint unless that is built in. */
  label: string;
  type: SavedType;
  /** Only of those that are compatible with OpenAI. */
  baseURL?: string;
  /** Whether it answers nobody without a key. */
  needsKey: boolean;
}

export const PROVIDER_KINDS: readonly ProviderKind[] = [
  { label: 'OpenAI', type: 'openAI', needsKey: true },
  { label: 'Anthropic', type: 'anthropic', needsKey: true },
  { label: 'Google', type: 'google', needsKey: true },
  { label: 'Azure OpenAI', type: 'azureOpenAI', needsKey: true },
  compatible('Mistral', 'https://api.mistral.ai/v1'),
  compatible('Groq', 'https://api.groq.com/openai/v1'),
  compatible('DeepSeek', 'https://api.deepseek.com/v1'),
  compatible('xAI', 'https://api.x.ai/v1'),
  compatible('OpenRouter', 'https://openrouter.ai/api/v1'),
  compatible('Together', 'https://api.together.xyz/v1'),
  { label: 'Ollama', type: 'custom', baseURL: 'http://127.0.0.1:11434/v1', needsKey: false },
];

function compatible(label: string, baseURL: string): ProviderKind {
  return { label, type: 'custom', baseURL, needsKey: true };
}
