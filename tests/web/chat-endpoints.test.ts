// @vitest-environment happy-dom
import type { EndpointsConfig } from '@parley/schema/startup';
import { describe, expect, test } from 'vitest';
import {
  chooseForNewChat,
  endpointLabel,
  endpointTypeOf,
  listEndpoints,
  type ChoiceMemory,
} from '../../web/src/endpoints/choose.ts';
import { groupsOf, searchGroups } from '../../web/src/endpoints/groups.ts';
import { withChoice } from '../../web/src/endpoints/memory.ts';

const endpoints: EndpointsConfig = {
  Mistral: { type: 'custom', userProvide: false, order: 2 },
  openAI: { userProvide: false, order: 1 },
};
const models = { openAI: ['gpt-3.5-turbo', 'gpt-4'], Mistral: ['mistral-tiny', 'mistral-large'] };
const nothing: ChoiceMemory = { setup: null, lastModels: new Map() };

describe('the endpoint of a new chat', () => {
  test('is the last setup when that is enabled', () => {
    const memory = { ...nothing, setup: { endpoint: 'Mistral', model: 'mistral-large' } };
    expect(chooseForNewChat(endpoints, models, memory)).toEqual({ endpoint: 'Mistral', model: 'mistral-large' });
  });

  test('is the one used last when the setup is not on offer any more', () => {
    const lastModels = new Map([
      ['openAI', 'gpt-4'],
      ['Mistral', 'mistral-large'],
      ['anthropic', 'claude-1'],
    ]);
    const memory = { setup: { endpoint: 'anthropic', model: 'claude-1' }, lastModels };
    expect(chooseForNewChat(endpoints, models, memory)).toEqual({ endpoint: 'Mistral', model: 'mistral-large' });
  });

  test('is the first by order at a first visit, with its first model', () => {
    expect(chooseForNewChat(endpoints, models, nothing)).toEqual({ endpoint: 'openAI', model: 'gpt-3.5-turbo' });
  });

  test('takes another model when the remembered one is gone', () => {
    const memory = { ...nothing, setup: { endpoint: 'openAI', model: 'gpt-2' } };
    expect(chooseForNewChat(endpoints, models, memory)).toEqual({ endpoint: 'openAI', model: 'gpt-3.5-turbo' });
  });

  test('takes the default model of its kind when no list of models came', () => {
    expect(chooseForNewChat(endpoints, {}, nothing)).toEqual({ endpoint: 'openAI', model: 'gpt-3.5-turbo' });
  });

  test('is nobody when nothing is set up', () => {
    expect(chooseForNewChat({}, {}, nothing)).toBeNull();
  });
});

describe('a remembered choice', () => {
  test('becomes the setup, and its endpoint the one used last', () => {
    const first = withChoice(nothing, { endpoint: 'openAI', model: 'gpt-4' });
    const second = withChoice(first, { endpoint: 'Mistral', model: 'mistral-tiny' });
    const third = withChoice(second, { endpoint: 'openAI', model: 'gpt-3.5-turbo' });
    expect(third.setup).toEqual({ endpoint: 'openAI', model: 'gpt-3.5-turbo' });
    expect([...third.lastModels]).toEqual([
      ['Mistral', 'mistral-tiny'],
      ['openAI', 'gpt-3.5-turbo'],
    ]);
  });
});

describe('the list of endpoints', () => {
  const groups = groupsOf({ endpoints, models });

  test('comes in the order of the server', () => {
    expect(listEndpoints(endpoints)).toEqual(['openAI', 'Mistral']);
  });

  test('names built-in endpoints by their label and custom ones by their own name', () => {
    expect([endpointLabel('openAI'), endpointLabel('Mistral')]).toEqual(['OpenAI', 'Mistral']);
    expect([endpointTypeOf('openAI', endpoints.openAI), endpointTypeOf('Mistral', endpoints.Mistral)]).toEqual([
      'openAI',
      'custom',
    ]);
  });

  test('is searched whatever the case, by model', () => {
    expect(searchGroups(groups, ' LARGE ').map(({ endpoint, models: found }) => [endpoint, ...found])).toEqual([
      ['Mistral', 'mistral-large'],
    ]);
  });

  test('keeps an endpoint whole when its own name matches', () => {
    expect(searchGroups(groups, 'openai')[0]?.models).toEqual(['gpt-3.5-turbo', 'gpt-4']);
  });
});
