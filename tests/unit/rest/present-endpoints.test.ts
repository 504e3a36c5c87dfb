import { presentEndpoints, presentModels } from '@parley/server/rest/present/present-endpoints';
import { expect, test } from 'vitest';

const endpoints = {
  openAI: { userProvide: false, pictures: ['gpt-image-1', 'gemini-2.5-flash-image'], order: 0 },
  Local: { type: 'custom' as const, pictures: true as const, order: 1 },
};

test('existing clients are not told which models make pictures', () => {
  expect(presentEndpoints(endpoints)).toEqual({
    openAI: { userProvide: false, order: 0 },
    Local: { type: 'custom', order: 1 },
  });
});

test('their lists have no model that was added for pictures only', () => {
  const models = { openAI: ['gpt-4', 'gpt-image-1', 'gemini-2.5-flash-image'], Local: ['llama', 'flux'] };
  expect(presentModels(models, endpoints)).toEqual({
    openAI: ['gpt-4', 'gemini-2.5-flash-image'],
    Local: ['llama', 'flux'],
  });
});
