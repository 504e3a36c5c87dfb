// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { Catalog } from '../../../../web/src/catalog/choose-model.ts';
import { blindModel } from '../../../../web/src/chat/attachments/no-vision-notice.tsx';

it('a model is blind to images if no model of its endpoint takes its place', () => {
  const openAI = { endpoint: 'openAI', endpointType: 'openAI' } as const;
  const offering = (...models: string[]) => ({ endpoints: {}, models: { openAI: models } }) as Catalog;
  const old = offering('gpt-3.5-turbo', 'gpt-4-vision-preview');
  expect(blindModel({ ...openAI, model: 'gpt-3.5-turbo' }, offering('gpt-3.5-turbo'))).toBe('gpt-3.5-turbo');
  expect(blindModel({ ...openAI, model: 'gpt-3.5-turbo' }, old)).toBeNull();
  expect(blindModel({ ...openAI, model: 'gpt-4o' }, offering('gpt-4o'))).toBeNull();
  expect(blindModel({ ...openAI, model: null }, old)).toBeNull();
  expect(blindModel({ endpoint: 'assistants', endpointType: 'assistants', model: 'gpt-4' }, old)).toBeNull();
});
