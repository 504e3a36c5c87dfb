import { chooseVisionModel, takesImages } from '@parley/schema/catalog/vision';
import { expect, it } from 'vitest';

it.each(
  [
    // The list of the reference (docs/rest-compat.md, Models and windows).
    ['gpt-4-vision-preview', 'llava', 'llava-13b', 'gemini-pro-vision', 'claude-3-haiku-20240307', 'gemini-1.5-pro'],
    ['gpt-4-turbo', 'gpt-4-turbo-2024-04-09'],
    ['chatgpt-4o-latest', 'gpt-4.1-nano', 'gpt-4.5-preview', 'gpt-5', 'openai/gpt-5-mini', 'gpt-5.1-codex', 'o3-pro'],
    ['claude-sonnet-4-20250514', 'claude-opus-4-1', 'anthropic/claude-haiku-4.5', 'claude-4-sonnet'],
    ['gemini-2.0-flash-lite', 'google/gemini-2.5-flash', 'gemini-3-pro-preview', 'gemini-exp-1206'],
    ['gemma3:4b', 'gemma-3-27b-it', 'google/gemma-3-12b-it:free', 'paligemma2'],
    ['grok-vision-beta', 'grok-2-vision-1212', 'grok-4', 'x-ai/grok-4.1-fast'],
    ['pixtral-12b-2409', 'pixtral-large-latest', 'mistral-small-2503', 'mistral-small3.1', 'mistral-medium-latest'],
    ['mistralai/mistral-medium-3.1', 'mistral-large-2512', 'ministral-3b-2512', 'magistral-small-2509'],
    ['llama-4-scout', 'meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8', 'llama4', 'llama3.2-vision:11b'],
    ['llama-3.2-90b-vision-preview', 'qwen-vl-max', 'qwen2-vl-72b-instruct', 'qwen2.5vl:7b', 'Qwen/Qwen3-VL-235B'],
    ['qvq-72b-preview', 'deepseek-vl2', 'kimi-vl-a3b-thinking', 'internvl3-78b', 'glm-4v-plus', 'z-ai/glm-4.5v'],
    ['minicpm-v', 'moondream', 'phi-3.5-vision-instruct', 'phi-4-multimodal-instruct', 'amazon.nova-lite-v1:0'],
  ].flat(),
)('%s sees pictures', (model) => {
  expect(takesImages(model)).toBe(true);
});

it.each(
  [
    ['gpt-4-turbo-preview', 'gpt-4', 'gpt-4-0125-preview', 'gpt-3.5-turbo', 'gpt-oss-120b', 'o1-mini', 'o1-preview'],
    [
      'o3-mini',
      'gpt-4o-audio-preview',
      'gpt-4o-mini-tts',
      'claude-2.1',
      'claude-instant-1',
      'gemini-pro',
      'chat-bison',
    ],
    ['gemini-embedding-001', 'gemma2:9b', 'gemma3:1b', 'gemma-3-1b-it', 'gemma3n:e4b', 'grok-3', 'grok-code-fast-1'],
    ['mistral-tiny', 'mistral-small-2501', 'mistral-large-2411', 'mistral-medium-2312', 'open-mixtral-8x22b'],
    ['ministral-8b-2410', 'llama-3.3-70b-versatile', 'llama3', 'qwen2.5-72b-instruct', 'qwen3-max', 'deepseek-chat'],
    ['glm-4.5', 'command-r-plus', 'kimi-k2', 'amazon.nova-micro-v1:0', 'phi-4', 'moonshot-v1-8k'],
  ].flat(),
)('%s does not', (model) => {
  expect(takesImages(model)).toBe(false);
});

it('a question with images goes to a model of the endpoint that accepts them, where it has one', () => {
  const old = ['gpt-3.5-turbo', 'gpt-4-vision-preview'];
  expect(chooseVisionModel('openAI', 'gpt-3.5-turbo', old)).toBe('gpt-4-vision-preview');
  expect(chooseVisionModel('openAI', 'gpt-4o', old)).toBe('gpt-4o');
  expect(chooseVisionModel('openAI', 'gpt-3.5-turbo', ['gpt-3.5-turbo'])).toBe('gpt-3.5-turbo');
  expect(chooseVisionModel('bingAI', 'sydney', old)).toBe('sydney');
});
