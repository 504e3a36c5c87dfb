import { openAIAtPrefix } from './openai-at-prefix.ts';

const pricing = { hourly: 0, input: 0.88, output: 0.88, base: 0, finetune: 0 };

/** Together: its model list is a bare array. */
export const together = openAIAtPrefix('/together', (scenarioNames) =>
  ['meta-llama/Llama-3-70b-chat-hf', ...scenarioNames.map((name) => `fake:${name}`)].map((id) => ({
    id,
    object: 'model',
    created: 0,
    type: 'chat',
    display_name: id,
    context_length: 8192,
    pricing,
  })),
);
