import { openAIAtPrefix } from './openai-at-prefix.ts';

/** OpenRouter: its list has the window and the price of each model. */
export const openRouter = openAIAtPrefix('/api', (scenarioNames) => {
  const fakes = scenarioNames.map((name) =>
    model(`fake:${name}`, 16_384, { prompt: '0.000001', completion: '0.000002' }),
  );
  return { data: [...MODELS, ...fakes] };
});

/** The last ones have unusable values. */
const MODELS = [
  model('meta-llama/llama-3-70b-instruct', 8192, { prompt: '0.00000059', completion: '0.00000079' }),
  model('openai/gpt-4-turbo', 128_000, { prompt: '0.00001', completion: '0.00003' }),
  model('mistralai/mistral-7b-instruct:free', 32_768, { prompt: '0', completion: '0' }),
  model('openrouter/auto', 2_000_000, { prompt: '-1', completion: '-1' }),
  model('fake/odd', 0, { prompt: 'NaN', completion: null }),
];

function model(id: string, window: number, pricing: Record<string, string | null>): object {
  return {
    id,
    name: id,
    created: 1_700_000_000,
    context_length: window,
    architecture: { modality: 'text->text', tokenizer: 'Other', instruct_type: null },
    pricing: { ...pricing, request: '0', image: '0' },
    top_provider: { context_length: window, max_completion_tokens: null, is_moderated: false },
    per_request_limits: null,
  };
}
