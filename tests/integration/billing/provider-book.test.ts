import { describeBooks } from './provider-book.ts';

const ENV = {
  OPENAI_MODELS: 'gpt-4o',
  ANTHROPIC_API_KEY: 'k',
  ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
  ANTHROPIC_MODELS: 'claude-sonnet-5',
  GOOGLE_KEY: 'k',
  GOOGLE_REVERSE_PROXY: '${FAKE_PROVIDER}',
  GOOGLE_MODELS: 'gemini-2.5-flash',
};

describeBooks(ENV, [
  { endpoint: 'openAI', endpointType: 'openAI', model: 'gpt-4o' },
  { endpoint: 'anthropic', endpointType: 'anthropic', model: 'claude-sonnet-5' },
  { endpoint: 'google', endpointType: 'google', model: 'gemini-2.5-flash' },
]);
