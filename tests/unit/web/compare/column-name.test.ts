import { expect, test } from 'vitest';
import { columnName } from '../../../../web/src/compare/column-name.ts';

const poems = {
  name: 'poems',
  label: 'Poems',
  endpoint: 'openAI',
  model: 'gpt-4o',
  settings: { temperature: 1.4 },
};
const specs = { enforce: false, prioritize: false, addedEndpoints: [], list: [poems] };

test('a column has the label of the spec that it answers with, else the model, else the provider', () => {
  const column = { endpoint: 'openAI', model: 'gpt-4o', settings: { temperature: 1.4 } };
  expect(columnName(column, specs)).toBe('Poems');
  expect(columnName({ ...column, settings: {} }, specs)).toBe('gpt-4o');
  expect(columnName(column, undefined)).toBe('gpt-4o');
  expect(columnName({ ...column, model: null, settings: {} }, undefined)).toBe('OpenAI');
});
