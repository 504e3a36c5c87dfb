// How much a model thinks, in the control beside the message box: one value with the panel of parameters.
import { describe, expect, it } from 'vitest';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import { effortOf, withEffort } from '../../../../web/src/params/effort.ts';

const chat = (endpointType: EndpointType, model: string, settings: Settings = {}) => ({
  endpointType,
  model,
  settings,
});

describe('the effort of a chat', () => {
  it('is there only for models that have one', () => {
    expect(effortOf(chat('openAI', 'gpt-4'))).toBeNull();
    expect(effortOf(chat('anthropic', 'claude-3-opus'))).toBeNull();
    expect(effortOf(chat('google', 'gemini-pro'))).toBeNull();
    expect(effortOf(chat('bingAI', 'BingAI'))).toBeNull();
    expect(effortOf(chat('openAI', 'o3'))?.levels).toEqual(['auto', 'low', 'medium', 'high']);
    expect(effortOf(chat('openAI', 'gpt-5.1'))?.levels).toEqual(['auto', 'none', 'low', 'medium', 'high']);
    expect(effortOf(chat('anthropic', 'claude-sonnet-4-5'))?.levels).toEqual(['none', 'low', 'medium', 'high']);
  });

  it('is the setting of the parameters, and the default where that is not set', () => {
    expect(effortOf(chat('openAI', 'o3'))).toMatchObject({ chosen: 'auto', isChanged: false });
    const high = chat('openAI', 'o3', { reasoning_effort: 'high', promptPrefix: 'Be brief' });
    expect(effortOf(high)).toMatchObject({ chosen: 'high', isChanged: true });
    expect(withEffort(high, 'low')).toEqual({ reasoning_effort: 'low', promptPrefix: 'Be brief' });
    expect(withEffort(high, 'auto')).toEqual({ promptPrefix: 'Be brief' });
    expect(withEffort(high, undefined)).toEqual({ promptPrefix: 'Be brief' });
  });

  it('is a share of the longest thinking where that is counted in tokens', () => {
    const model = chat('anthropic', 'claude-sonnet-4-5');
    expect(effortOf(model)).toMatchObject({ chosen: 'none', isChanged: false });
    expect(withEffort(model, 'low')).toEqual({ thinkingBudget: 4096 });
    expect(withEffort(model, 'medium')).toEqual({ thinkingBudget: 16_384 });
    const high = { ...model, settings: withEffort(model, 'high') };
    expect(high.settings).toEqual({ thinkingBudget: 32_768 });
    expect(effortOf(high)).toMatchObject({ chosen: 'high', isChanged: true });
    expect(withEffort(high, 'none')).toEqual({});
  });

  it('says the number of tokens that somebody set between the levels', () => {
    expect(effortOf(chat('anthropic', 'claude-sonnet-4-5', { thinkingBudget: 5120 }))).toMatchObject({ chosen: 5120 });
  });

  it('does not show a level that the model does not have', () => {
    expect(effortOf(chat('openAI', 'o3', { reasoning_effort: 'max' }))).toMatchObject({
      chosen: 'auto',
      isChanged: false,
    });
  });
});
