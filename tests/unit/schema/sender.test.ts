import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { replySender } from '@parley/schema/catalog/sender';
import { describe, expect, it } from 'vitest';

describe('the sender of a reply', () => {
  it.each<[EndpointType, string | null, string]>([
    ['openAI', 'gpt-4-turbo', 'GPT-4'],
    ['openAI', 'gpt-3.5-turbo', 'GPT-3.5'],
    ['openAI', 'mistral-small', 'Mistral'],
    ['openAI', 'o1', 'OpenAI'],
    ['openAI', null, 'OpenAI'],
    ['azureOpenAI', 'gpt-4', 'GPT-4'],
    ['azureOpenAI', 'house', 'Azure OpenAI'],
    ['gptPlugins', 'gpt-4', 'GPT-4'],
    ['chatGPTBrowser', 'text-davinci-002-render-sha', 'ChatGPT'],
    ['custom', 'llama', 'AI'],
    ['custom', 'gpt-4', 'GPT-4'],
    ['bingAI', null, 'BingAI'],
    ['anthropic', 'claude-3', 'Claude'],
    ['google', 'gemini-pro', 'Gemini'],
    ['google', 'code-bison', 'Codey'],
    ['google', 'chat-bison', 'PaLM2'],
    ['assistants', 'gpt-4', 'Assistant'],
  ])('of %s with the model %s is %s', (endpointType, model, sender) => {
    expect(replySender({ endpointType, model, settings: {} })).toBe(sender);
  });

  it('is the name set in its conversation', () => {
    expect(replySender({ endpointType: 'openAI', model: 'gpt-4', settings: { chatGptLabel: 'Ada' } })).toBe('Ada');
    expect(replySender({ endpointType: 'google', model: 'gemini', settings: { modelLabel: 'Bo' } })).toBe('Bo');
    expect(replySender({ endpointType: 'openAI', model: 'gpt-4', settings: { chatGptLabel: '' } })).toBe('GPT-4');
  });

  it("is a custom endpoint's display label when the model has no known name", () => {
    const chat = { endpointType: 'custom' as const, settings: {}, modelDisplayLabel: 'House model' };
    expect(replySender({ ...chat, model: 'llama' })).toBe('House model');
    expect(replySender({ ...chat, model: 'gpt-4' })).toBe('GPT-4');
  });

  it('is Sydney for Bing in jailbreak mode', () => {
    expect(replySender({ endpointType: 'bingAI', model: null, settings: { jailbreak: true } })).toBe('Sydney');
  });
});
