import {
  costInCredits,
  creditsFor,
  INCOMPLETE_FACTOR,
  isPriced,
  isPriceKnown,
  ratesOfCall,
} from '@parley/schema/catalog/rates';
import { endpointTable } from '@parley/schema/catalog/endpoints';
import { describe, expect, it } from 'vitest';

describe('the rates of a model', () => {
  it.each([
    ['gpt-4', 30, 60],
    ['gpt-4-0613', 30, 60],
    ['gpt-4-32k-0314', 60, 120],
    ['gpt-4-1106-preview', 10, 30],
    ['gpt-4-0125-preview', 10, 30],
    ['gpt-4-turbo-preview', 10, 30],
    ['gpt-4-vision-preview', 10, 30],
    ['gpt-3.5-turbo', 1.5, 2],
    ['gpt-3.5-turbo-16k-0613', 3, 4],
    ['gpt-3.5-turbo-1106', 1, 2],
    ['gpt-3.5-turbo-0125', 0.5, 1.5],
    ['claude-3-opus-20240229', 15, 75],
    ['claude-3-sonnet-20240229', 3, 15],
    ['anthropic/claude-3-haiku-20240307', 0.25, 1.25],
    ['claude-2.1', 8, 24],
    ['claude-3-5-haiku-20241022', 0.8, 4],
    ['anthropic/claude-3.7-sonnet', 3, 15],
    ['claude-opus-4-20250514', 15, 75],
    ['claude-opus-4-1', 15, 75],
    ['anthropic/claude-opus-4.5', 5, 25],
    ['claude-opus-4-8', 5, 25],
    ['claude-opus-5', 5, 25],
    ['claude-opus-5-5', 4, 20],
    ['claude-sonnet-4-5-20250929', 3, 15],
    ['claude-sonnet-5-5', 2, 10],
    ['claude-haiku-4-5', 1, 5],
    ['claude-haiku-5-5', 0.1, 0.5],
    ['claude-fable-5-1', 10, 50],
    ['claude-fable-5-2', 8, 40],
    ['gpt-4o-2024-11-20', 2.5, 10],
    ['gpt-4o-mini', 0.15, 0.6],
    ['gpt-4.1-nano', 0.1, 0.4],
    ['o1', 15, 60],
    ['openai/o3', 2, 8],
    ['o4-mini-2025-04-16', 1.1, 4.4],
    ['gpt-5-mini', 0.25, 2],
    ['gpt-5.1', 1.25, 10],
    ['gpt-5.4', 2.5, 15],
    ['gpt-5.6-luna', 0.2, 1.2],
    ['gpt-6.1-terra', 1, 5],
    ['gpt-6.2-sol', 2, 10],
    ['gpt-6.2-astra', 8, 40],
    ['gemini-2.5-flash-lite', 0.1, 0.4],
    ['solo3', 6, 6],
    ['claude-instant-1', 0.8, 2.4],
    ['command-r-plus', 3, 15],
    ['command-r', 0.5, 1.5],
    ['command-light', 0.38, 0.38],
    ['gemini-1.5-pro', 1.25, 5],
    ['gemini-pro', 0.5, 1.5],
    ['gemini-flash-latest', 0.3, 2.5],
    ['some-model-of-tomorrow', 6, 6],
    [null, 6, 6],
  ])('of %s are %d and %d', (model, prompt, completion) => {
    expect(ratesOfCall({ endpointType: 'custom', model })).toMatchObject({ prompt, completion });
  });

  it('are the same for Google, whose answers no balance pays for', () => {
    expect(endpointTable.google.isOfBalance).toBe(false);
    const rates = ratesOfCall({ endpointType: 'google', model: 'gemini-2.5-pro' });
    expect(rates).toEqual({ prompt: 1.25, completion: 10, cachedRead: 0.125, cachedWrite: 1.25 });
  });

  it('are zero where the provider meters nothing', () => {
    for (const endpointType of ['bingAI', 'chatGPTBrowser'] as const) {
      expect(isPriced(endpointType)).toBe(false);
      const rates = ratesOfCall({ endpointType, model: 'gpt-4' });
      expect(rates).toEqual({ prompt: 0, completion: 0, cachedRead: 0, cachedWrite: 0 });
    }
  });

  it.each([
    ['gpt-4o', 2.5, 1.25, 2.5],
    ['gpt-4.1-mini', 0.4, 0.1, 0.4],
    ['openai/o3', 2, 0.5, 2],
    ['o3-mini', 1.1, 0.55, 1.1],
    ['o4-mini', 1.1, 0.275, 1.1],
    ['gpt-5', 1.25, 0.125, 1.25],
    ['claude-sonnet-4-5', 3, 0.3, 3.75],
    ['anthropic/claude-opus-4.5', 5, 0.5, 6.25],
    ['gemini-2.0-flash', 0.1, 0.025, 0.1],
    ['gemini-2.5-flash', 0.3, 0.03, 0.3],
    ['gpt-4', 30, 30, 30],
    ['some-model-of-tomorrow', 6, 6, 6],
  ])('of cached tokens of %s follow from its family', (model, prompt, cachedRead, cachedWrite) => {
    const rates = ratesOfCall({ endpointType: 'custom', model });
    expect(rates).toMatchObject({ prompt, cachedRead, cachedWrite });
  });

  it('come first when they are reported, including those of cached tokens', () => {
    const call = { endpointType: 'custom', model: 'anthropic/claude-haiku' } as const;
    const told = { prompt: 2, completion: 9 };
    expect(ratesOfCall({ ...call, rates: told })).toEqual({ ...told, cachedRead: 0.2, cachedWrite: 2.5 });
    const all = { ...told, cachedRead: 0.7, cachedWrite: 2.1 };
    expect(ratesOfCall({ ...call, rates: all })).toEqual(all);
  });
});

describe('a cost', () => {
  it('is in whole credits, each part rounded up', () => {
    expect(costInCredits({ input: 100, output: 10 }, ratesOfCall({ endpointType: 'openAI', model: 'gpt-4' }))).toBe(
      3600,
    );
    expect(
      costInCredits(
        { input: 1, output: 1 },
        ratesOfCall({ endpointType: 'anthropic', model: 'claude-3-haiku-20240307' }),
      ),
    ).toBe(3);
    expect(costInCredits({ input: 0, output: 0 }, ratesOfCall({ endpointType: 'openAI', model: 'gpt-4' }))).toBe(0);
  });

  it('counts cached tokens at their own prices, once', () => {
    const rates = ratesOfCall({ endpointType: 'anthropic', model: 'claude-sonnet-4-5' });
    const used = { input: 10_000, cachedRead: 8000, cachedWrite: 1000, output: 100, reasoning: 60 };
    expect(costInCredits(used, rates)).toBe(1000 * 3 + 8000 * 0.3 + 1000 * 3.75 + 100 * 15);
  });

  it('is not increased by binary fractions', () => {
    expect(creditsFor(150, 0.38)).toBe(57);
    expect(creditsFor(100, 60 * INCOMPLETE_FACTOR)).toBe(6900);
  });
});

describe('the price of a call', () => {
  const given = { prompt: 1, completion: 2 };
  it.each([
    ['google', 'gemini-99-unheard', undefined, false],
    ['google', 'gemini-2.5-pro', undefined, true],
    ['custom', 'some-model', undefined, false],
    ['custom', 'some-model', given, true],
    ['custom', 'some-model', { prompt: 0, completion: 0 }, true],
    ['custom', null, undefined, false],
    ['bingAI', 'Sydney', undefined, true],
  ] as const)('of %s and %s with %o is known: %s', (endpointType, model, rates, isKnown) => {
    expect(isPriceKnown({ endpointType, model, rates })).toBe(isKnown);
  });
});
