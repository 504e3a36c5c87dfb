import { expect, test } from 'vitest';
import { byMonth } from '../../../../web/src/settings/usage/usage-by-month.ts';

const row = { answers: 1, input: 1000, output: 100, rates: null };

test('the newest month comes first, in it the model with the most tokens, and prices that were reported count', () => {
  const months = byMonth(
    [
      { ...row, month: '2026-10', endpoint: 'openAI', model: 'gpt-4o' },
      { ...row, month: '2026-11', endpoint: 'Own place', model: 'some-model' },
      { ...row, month: '2026-11', endpoint: 'openAI', model: 'gpt-4o', answers: 2, input: 2000 },
      { ...row, month: '2026-11', endpoint: 'openAI', model: 'gpt-4o', rates: { prompt: 1, completion: 2 } },
      { ...row, month: '2026-11', endpoint: 'bingAI', model: null },
    ],
    (endpoint) => (endpoint === 'Own place' ? 'custom' : endpoint === 'bingAI' ? 'bingAI' : 'openAI'),
  );
  expect(months).toEqual([
    {
      month: '2026-11',
      models: [
        // 2000 * 2.5 + 100 * 10, and 1000 * 1 + 100 * 2.
        { endpoint: 'openAI', model: 'gpt-4o', answers: 3, tokens: 3200, cost: 6000 + 1200 },
        { endpoint: 'Own place', model: 'some-model', answers: 1, tokens: 1100, cost: 6600 },
        { endpoint: 'bingAI', model: null, answers: 1, tokens: 1100, cost: null },
      ],
    },
    { month: '2026-10', models: [{ endpoint: 'openAI', model: 'gpt-4o', answers: 1, tokens: 1100, cost: 3500 }] },
  ]);
});
