import type { ModelSpec, ModelSpecs } from '@parley/schema/settings/model-specs';
import { expect, test } from 'vitest';
import { chooseForNewChat, type Catalog, type LastChoices } from '../../../../web/src/catalog/choose-model.ts';
import { besideSpecs, findSpec, searchSpecs } from '../../../../web/src/catalog/model-specs.ts';

const minutes = specOf('minutes', { settings: { temperature: 0.2 }, description: 'Of a meeting' });
const poems = specOf('poems', { model: 'gpt-5', group: 'Fun' });
const jokes = specOf('jokes', { settings: { temperature: 1.5 } });

function specOf(name: string, over: Partial<ModelSpec> = {}): ModelSpec {
  return { name, label: name.toUpperCase(), endpoint: 'openAI', model: 'gpt-4', settings: {}, ...over };
}

function specsOf(list: ModelSpec[], over: Partial<ModelSpecs> = {}): ModelSpecs {
  return { enforce: false, prioritize: true, addedEndpoints: [], list, ...over };
}

function catalogOf(specs?: ModelSpecs): Catalog {
  const endpoints = { openAI: { order: 0 }, anthropic: { order: 1 } };
  return { endpoints, models: { openAI: ['gpt-4', 'gpt-5'], anthropic: ['claude-3'] }, specs };
}

const nothing: LastChoices = { setup: null, lastModels: new Map() };
const last: LastChoices = { setup: { endpoint: 'anthropic', model: 'claude-3' }, lastModels: new Map() };
const preset = {
  presetId: 'mine',
  title: 'Mine',
  endpoint: 'anthropic',
  endpointType: 'anthropic' as const,
  model: 'claude-3',
  settings: {},
  isDefault: true,
  order: 0,
  user: 'alice',
  createdAt: '',
  updatedAt: '',
};

test('a default spec begins every new chat, and yields to a default preset where specs have no priority', () => {
  const specs = specsOf([poems, { ...minutes, startsChats: 'always' }]);
  const begun = { endpoint: 'openAI', model: 'gpt-4', settings: { temperature: 0.2 } };
  expect(chooseForNewChat(catalogOf(specs), last, preset)).toEqual(begun);
  expect(chooseForNewChat(catalogOf({ ...specs, prioritize: false }), last, preset)?.endpoint).toBe('anthropic');
  expect(chooseForNewChat(catalogOf({ ...specs, prioritize: false }), last, null)).toEqual(begun);
});

test('a soft default begins only the chats of who has chosen nothing yet', () => {
  const specs = specsOf([{ ...poems, startsChats: 'first' }]);
  expect(chooseForNewChat(catalogOf(specs), nothing, null)?.model).toBe('gpt-5');
  expect(chooseForNewChat(catalogOf(specs), last, null)?.endpoint).toBe('anthropic');
});

test('a new chat begins with the last used of the enforced specs, or the first', () => {
  const specs = specsOf([minutes, poems], { enforce: true });
  expect(chooseForNewChat(catalogOf(specs), last, null)?.model).toBe('gpt-4');
  const chosen = { ...nothing, setup: { endpoint: 'openAI', model: 'gpt-5', settings: {} } };
  expect(chooseForNewChat(catalogOf(specs), chosen, null)?.model).toBe('gpt-5');
});

test('a chat has the spec whose endpoint, model and settings it has', () => {
  const specs = specsOf([minutes, jokes, poems]);
  const chat = { endpoint: 'openAI', model: 'gpt-4' };
  expect(findSpec(specs, { ...chat, settings: { temperature: 1.5, top_p: 1 } })).toBe(jokes);
  expect(findSpec(specs, { ...chat, settings: { temperature: 0.7 } })).toBeUndefined();
  expect(findSpec(specs, { endpoint: 'openAI', model: 'gpt-5' })).toBe(poems);
});

test('specs are found by label, description and group; those without a group come first', () => {
  const specs = specsOf([poems, minutes]);
  expect(searchSpecs(specs, '')).toEqual([minutes, poems]);
  expect(searchSpecs(specs, 'MEETING')).toEqual([minutes]);
  expect(searchSpecs(specs, 'fun')).toEqual([poems]);
});

test('enforced specs hide all endpoints but those that are added', () => {
  const names = (over: Partial<ModelSpecs>) => Object.keys(besideSpecs(catalogOf(specsOf([minutes], over))).endpoints);
  expect(names({})).toEqual(['openAI', 'anthropic']);
  expect(names({ enforce: true })).toEqual([]);
  expect(names({ enforce: true, addedEndpoints: ['anthropic'] })).toEqual(['anthropic']);
});
