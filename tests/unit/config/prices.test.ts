import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@parley/server/load-config';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folders.ts';

async function load(prices: string) {
  const cwd = createFolder();
  writeFileSync(join(cwd, 'parley.yaml'), `version: 1.0.7\nprices: ${prices}\n`);
  return (await loadConfig({ env: {}, cwd })).endpoints.prices;
}

describe('the prices of the yaml file', () => {
  it('are those of models and of whole providers', async () => {
    const written =
      "{ openAI: { gpt-4o: { input: 2, cachedRead: 0.5, cachedWrite: 0, output: 8 }, '*': { input: 0, output: 0 } } }";
    expect(await load(written)).toEqual({
      openAI: { 'gpt-4o': { input: 2, cachedRead: 0.5, cachedWrite: 0, output: 8 }, '*': { input: 0, output: 0 } },
    });
    expect(await load('{}')).toEqual({});
  });

  it.each([
    ['{ openAI: { a: { input: -1, output: 1 } } }', 'prices.openAI.a.input must not be negative'],
    ['{ openAI: { a: { input: .nan, output: 1 } } }', 'prices.openAI.a.input must be a number'],
    ['{ openAI: { a: { input: .inf, output: 1 } } }', 'prices.openAI.a.input must be a number'],
    ['{ openAI: { a: { input: "3", output: 1 } } }', 'prices.openAI.a.input must be a number'],
    [
      '{ openAI: { a: { input: 1, output: 10001 } } }',
      'prices.openAI.a.output must not be more than 10000 US dollars for a million tokens',
    ],
    ['{ openAI: { a: { input: 1 } } }', 'prices.openAI.a.output is missing'],
    ['{ openAI: { a: 3 } }', 'prices.openAI.a must be a map of input, cachedRead, cachedWrite, output'],
    ['{ openAI: 3 }', 'prices.openAI must be a map of model names, or *, and their prices'],
    ['3', 'prices must be a map of providers'],
  ])('stop the start with a sentence where they are %s', async (prices, sentence) => {
    await expect(load(prices)).rejects.toThrow(sentence);
  });
});
