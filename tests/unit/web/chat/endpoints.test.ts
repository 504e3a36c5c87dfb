// @vitest-environment happy-dom
import { carrySettings } from '@parley/schema/settings/carry-settings';
import type { Preset } from '@parley/schema/settings/presets';
import type { EndpointsConfig } from '@parley/schema/catalog/startup';
import { takesImages } from '@parley/schema/catalog/vision';
import { findWindow } from '@parley/schema/catalog/windows';
import { createStore } from 'jotai';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  revalidateChoice,
  chooseForNewChat,
  endpointLabel,
  endpointTypeOf,
  replaceMissingModel,
  listEndpoints,
  type LastChoices,
  type Catalog,
} from '../../../../web/src/catalog/choose-model.ts';
import { startEnglish } from '../start-english.ts';
import { areEndpointsCompatible } from '../../../../web/src/catalog/endpoint-compatibility.ts';
import { favouritesAtom, parseModelRefs, turnFavourite } from '../../../../web/src/catalog/favourites.ts';
import { recentModelsAtom, withUse } from '../../../../web/src/catalog/recent-models.ts';
import { readStored } from '../../../../web/src/lib/storage.ts';
import {
  clearNewChatChoices,
  saveNewChatChoice,
  readNewChatChoices,
} from '../../../../web/src/catalog/new-chat-choices.ts';
import {
  arrangeModels,
  endpointGroups,
  NEW_ASSISTANT,
  searchGroups,
} from '../../../../web/src/catalog/model-groups.ts';
import { lastChoicesAtom, saveChoiceAtom, withChoice } from '../../../../web/src/catalog/last-choices.ts';

beforeAll(startEnglish);

const endpoints: EndpointsConfig = {
  Mistral: { type: 'custom', userProvide: false, order: 2 },
  openAI: { userProvide: false, order: 1 },
};
const models = { openAI: ['gpt-4', 'gpt-3.5-turbo'], Mistral: ['mistral-tiny', 'mistral-large'] };
const offer: Catalog = { endpoints, models };
const nothing: LastChoices = { setup: null, lastModels: new Map() };
const preset: Preset = {
  presetId: 'p1',
  title: 'Verse',
  endpoint: 'Mistral',
  endpointType: 'custom',
  model: 'mistral-large',
  settings: { temperature: 0.3, tools: ['calculator'] },
  isDefault: true,
  order: 0,
  user: 'alice',
  createdAt: '',
  updatedAt: '',
};

describe('the endpoint of a new chat', () => {
  const setup = { endpoint: 'openAI', model: 'gpt-4', settings: { temperature: 0.9 } };

  test('is that of the default preset, with its settings, before everything else', () => {
    expect(chooseForNewChat(offer, { ...nothing, setup }, preset)).toEqual({
      endpoint: 'Mistral',
      model: 'mistral-large',
      settings: { temperature: 0.3, tools: ['calculator'] },
      presetId: 'p1',
    });
  });

  test('is the last setup, with its settings, when the endpoint of the preset is not offered', () => {
    expect(chooseForNewChat(offer, { ...nothing, setup }, { ...preset, endpoint: 'anthropic' })).toEqual(setup);
    expect(chooseForNewChat(offer, { ...nothing, setup }, { ...preset, endpoint: null })).toEqual(setup);
    expect(chooseForNewChat(offer, { ...nothing, setup }, null)).toEqual(setup);
  });

  test('is the one used last when the setup is no longer offered', () => {
    const lastModels = new Map([
      ['openAI', 'gpt-4'],
      ['Mistral', 'mistral-large'],
      ['anthropic', 'claude-1'],
    ]);
    const memory = { ...nothing, setup: { endpoint: 'anthropic', model: 'claude-1' }, lastModels };
    expect(chooseForNewChat(offer, memory, null)).toEqual({ endpoint: 'Mistral', model: 'mistral-large' });
  });

  test('is the first in order at a first visit, with the first model of its list, which is not gpt-3.5-turbo', () => {
    expect(chooseForNewChat(offer, nothing, null)).toEqual({ endpoint: 'openAI', model: 'gpt-4' });
  });

  test('has gpt-3.5-turbo where only the built-in list is there, which begins with a snapshot of it', () => {
    const builtIn = { endpoints, models: { openAI: ['gpt-3.5-turbo-0125', 'gpt-4', 'gpt-3.5-turbo'] } };
    expect(chooseForNewChat(builtIn, nothing, null)).toEqual({ endpoint: 'openAI', model: 'gpt-3.5-turbo' });
  });

  test('has the first model when the operator ordered the list or it lacks the default', () => {
    const custom = {
      endpoints: { Mistral: { type: 'custom', order: 1 } as const },
      models: { Mistral: ['x', 'gpt-3.5-turbo'] },
    };
    expect(chooseForNewChat(custom, nothing, null)).toEqual({ endpoint: 'Mistral', model: 'x' });
    const local = { endpoints, models: { openAI: ['llama'] } };
    expect(chooseForNewChat(local, nothing, null)).toEqual({ endpoint: 'openAI', model: 'llama' });
  });

  test('takes another model when the remembered one is gone', () => {
    const memory = { ...nothing, setup: { endpoint: 'openAI', model: 'gpt-2' } };
    expect(chooseForNewChat(offer, memory, null)).toEqual({ endpoint: 'openAI', model: 'gpt-4' });
    const lost = { ...preset, model: 'mistral-gone' };
    expect(chooseForNewChat(offer, nothing, lost)).toMatchObject({ model: 'mistral-tiny', presetId: 'p1' });
  });

  test('takes the default model when no list of models arrived', () => {
    const empty = { endpoints, models: {} };
    expect(chooseForNewChat(empty, nothing, null)).toEqual({ endpoint: 'openAI', model: 'gpt-3.5-turbo' });
  });

  test('is empty when nothing is configured', () => {
    expect(chooseForNewChat({ endpoints: {}, models: {} }, nothing, preset)).toBeNull();
  });
});

describe('a manual choice', () => {
  const settings = { temperature: 0.9 };

  test('takes an available model when its own has left the list', () => {
    const gone = { endpoint: 'Mistral', model: 'mistral-gone', settings };
    expect(replaceMissingModel(gone, offer, nothing)).toEqual({ ...gone, model: 'mistral-tiny' });
    const lastModels = new Map([['Mistral', 'mistral-large']]);
    expect(replaceMissingModel(gone, offer, { ...nothing, lastModels })).toMatchObject({ model: 'mistral-large' });
  });

  test('stays while its model is listed, or while nothing is known of its endpoint', () => {
    for (const choice of [
      { endpoint: 'Mistral', model: 'mistral-large', settings },
      { endpoint: 'Mistral', model: null },
      { endpoint: 'Elsewhere', model: 'any' },
    ])
      expect(replaceMissingModel(choice, offer, nothing)).toBe(choice);
  });
});

describe('a remembered choice', () => {
  const used = (endpoint: string, model: string, settings = {}) => ({
    endpoint,
    endpointType: endpointTypeOf(endpoint, endpoints[endpoint]),
    model,
    settings,
  });

  beforeEach(() => localStorage.clear());

  test('becomes the setup, and its endpoint the one used last', () => {
    const first = withChoice(nothing, used('openAI', 'gpt-4'));
    const second = withChoice(first, used('Mistral', 'mistral-tiny'));
    const third = withChoice(second, used('openAI', 'gpt-3.5-turbo', { temperature: 0.2 }));
    expect(third.setup).toEqual({ endpoint: 'openAI', model: 'gpt-3.5-turbo', settings: { temperature: 0.2 } });
    expect([...third.lastModels]).toEqual([
      ['Mistral', 'mistral-tiny'],
      ['openAI', 'gpt-3.5-turbo'],
    ]);
  });

  test('has no tools: each conversation chooses its own', () => {
    const atoms = createStore();
    atoms.sub(lastChoicesAtom, () => {});
    atoms.set(saveChoiceAtom, used('openAI', 'gpt-4', { temperature: 0.2, tools: ['calculator'] }));
    expect(stored('lastConversationSetup')).toEqual({ endpoint: 'openAI', model: 'gpt-4', temperature: 0.2 });
    expect(atoms.get(lastChoicesAtom).setup?.settings).toEqual({ temperature: 0.2 });
    store('lastConversationSetup', { endpoint: 'openAI', model: 'gpt-4', tools: ['calculator'] });
    expect(memory().setup?.settings).toEqual({});
  });

  test('is stored in the format of existing clients, beside their fields, and read again', () => {
    store('lastSelectedModel', { openAI: { primaryModel: 'gpt-4', secondaryModel: 'gpt-3.5-turbo' } });
    const atoms = createStore();
    atoms.sub(lastChoicesAtom, () => {});
    atoms.set(saveChoiceAtom, used('openAI', 'gpt-3.5-turbo', { temperature: 0.2 }));
    expect(stored('lastConversationSetup')).toEqual({ endpoint: 'openAI', model: 'gpt-3.5-turbo', temperature: 0.2 });
    expect(stored('lastSelectedModel')).toEqual({
      openAI: { primaryModel: 'gpt-3.5-turbo', secondaryModel: 'gpt-3.5-turbo' },
    });
    expect(memory().setup).toEqual({
      endpoint: 'openAI',
      model: 'gpt-3.5-turbo',
      settings: { temperature: 0.2 },
    });
  });

  test('of another client is read with its known and valid settings', () => {
    store('lastConversationSetup', {
      endpoint: 'google',
      model: 'gemini-pro',
      topK: 99,
      temperature: 'hot',
      title: 'x',
    });
    expect(memory().setup).toEqual({ endpoint: 'google', model: 'gemini-pro', settings: {} });
    store('lastConversationSetup', { endpoint: 'google', model: 'chat-bison', topK: 0, maxOutputTokens: 9000 });
    expect(memory().setup?.settings).toEqual({ topK: 1, maxOutputTokens: 2048 });
    store('lastConversationSetup', 'nonsense');
    expect(memory().setup).toBeNull();
  });
});

describe('the settings of a new chat', () => {
  const gpt = { endpoint: 'openAI', model: 'gpt-4', settings: { temperature: 0.3 } };
  const mistral = { endpoint: 'Mistral', model: 'mistral-tiny', settings: { temperature: 0.6 } };

  beforeEach(() => {
    sessionStorage.clear();
    localStorage.setItem('lastUser', 'alice');
  });

  test('are kept for each endpoint until they are forgotten', () => {
    for (const choice of [gpt, mistral, { ...gpt, settings: {} }]) saveNewChatChoice(choice);
    expect(readNewChatChoices()).toEqual([mistral, { ...gpt, settings: {} }]);
    clearNewChatChoices();
    expect(readNewChatChoices()).toEqual([]);
  });

  test('are not shown to another user', () => {
    saveNewChatChoice(gpt);
    localStorage.setItem('lastUser', 'bob');
    expect(readNewChatChoices()).toEqual([]);
  });

  test('are read where they are known and valid', () => {
    const choices = [null, 7, { model: 'gpt-4' }, { ...gpt, settings: { temperature: 'hot', top_p: 0.5 } }];
    sessionStorage.setItem('freshChoices', JSON.stringify({ user: 'alice', choices }));
    expect(readNewChatChoices()).toEqual([{ ...gpt, settings: { top_p: 0.5 } }]);
    for (const nonsense of ['nonsense', 'null', '[]', '{"user":"alice","choices":{}}']) {
      sessionStorage.setItem('freshChoices', nonsense);
      expect(readNewChatChoices()).toEqual([]);
    }
  });

  test('are applied again where they are still offered', () => {
    expect(revalidateChoice(gpt, offer, nothing)).toBe(gpt);
    expect(revalidateChoice({ ...gpt, model: 'gpt-2' }, offer, nothing)).toEqual({ ...gpt, model: 'gpt-4' });
    expect(revalidateChoice({ ...gpt, endpoint: 'anthropic' }, offer, nothing)).toBeNull();
  });
});

describe('a conversation', () => {
  const openAI = { endpoint: 'openAI', endpointType: 'openAI' } as const;
  const mistral = { endpoint: 'Mistral', endpointType: 'custom' } as const;

  test('continues with the same endpoint, between assistants, and with any where switching is on', () => {
    const assistants = { endpoint: 'assistants', endpointType: 'assistants' } as const;
    expect(areEndpointsCompatible(openAI, openAI, false)).toBe(true);
    expect(areEndpointsCompatible(assistants, { ...assistants, endpoint: 'azureAssistants' }, false)).toBe(true);
    expect(areEndpointsCompatible(openAI, mistral, false)).toBe(false);
    expect(areEndpointsCompatible(openAI, mistral, true)).toBe(true);
  });

  test('carries over the settings that the other endpoint knows, within its bounds', () => {
    const settings = { temperature: 1.7, top_p: 0.4, promptPrefix: 'In verse.', stop: ['END'], imageDetail: 'low' };
    expect(carrySettings('custom', 'mistral-tiny', settings)).toEqual(settings);
    expect(carrySettings('anthropic', 'claude-2', settings)).toEqual({ promptPrefix: 'In verse.' });
    expect(carrySettings('google', 'gemini-pro', settings)).toEqual({ promptPrefix: 'In verse.', temperature: 1 });
    expect(carrySettings('google', 'chat-bison', { maxOutputTokens: 8000, topK: 2.6 })).toEqual({
      maxOutputTokens: 2048,
      topK: 3,
    });
    expect(
      carrySettings('openAI', 'gpt-4', { temperature: 'x', stop: [1], imageDetail: 'huge', examples: [1] }),
    ).toEqual({});
  });
});

describe('the list of endpoints', () => {
  const groups = endpointGroups(offer);

  test('has the order of the server', () => {
    expect(listEndpoints(endpoints)).toEqual(['openAI', 'Mistral']);
  });

  test('has labels for built-in endpoints and own names for custom ones', () => {
    expect([endpointLabel('openAI'), endpointLabel('Mistral')]).toEqual(['OpenAI', 'Mistral']);
    expect([endpointTypeOf('openAI', endpoints.openAI), endpointTypeOf('Mistral', endpoints.Mistral)]).toEqual([
      'openAI',
      'custom',
    ]);
  });

  test('is searched by model, whatever the case', () => {
    expect(searchGroups(groups, ' LARGE ').map(({ endpoint, models: found }) => [endpoint, ...found])).toEqual([
      ['Mistral', 'mistral-large'],
    ]);
  });

  test('finds a model of plugins at the other endpoint that has it, and under the name of plugins', () => {
    const plugins = { endpoint: 'gptPlugins', type: 'gptPlugins' as const, models: ['gpt-4', 'gpt-4-own'] };
    const all = [...groups, plugins];
    const names = (query: string) =>
      searchGroups(all, query).map(({ endpoint, models: found }) => [endpoint, ...found]);
    expect(names('gpt-4')).toEqual([
      ['openAI', 'gpt-4'],
      ['gptPlugins', 'gpt-4-own'],
    ]);
    expect(names('plugins')).toEqual([['gptPlugins', 'gpt-4', 'gpt-4-own']]);
    expect(names('')).toContainEqual(['gptPlugins', 'gpt-4-own']);
  });

  test('does not repeat the models of another endpoint under plugins, which keep one, the current one if it is theirs', () => {
    const all = [
      ...groups,
      { endpoint: 'gptPlugins', type: 'gptPlugins' as const, models: ['gpt-4', 'gpt-3.5-turbo'] },
    ];
    const ofPlugins = (endpoint: string) =>
      searchGroups(all, '', { endpoint, model: 'gpt-3.5-turbo' }).find((group) => group.endpoint === 'gptPlugins');
    expect(ofPlugins('openAI')?.models).toEqual(['gpt-4']);
    expect(ofPlugins('gptPlugins')?.models).toEqual(['gpt-3.5-turbo']);
  });

  test('has assistants by their names, above the models, and none of the models that answer for them', () => {
    const catalog = {
      endpoints: { ...endpoints, assistants: { order: 10_000 } },
      models: { ...models, assistants: ['gpt-4', 'mistral-tiny'] },
    };
    const names = new Map([
      ['asst_1', 'Sea guide'],
      ['asst_2', 'Cook'],
      [NEW_ASSISTANT, 'New assistant'],
    ]);
    const all = endpointGroups(catalog, names);
    const found = (query: string) => searchGroups(all, query).map((group) => [group.endpoint, ...group.models]);
    expect(found('')).toEqual([
      ['assistants', 'asst_1', 'asst_2', NEW_ASSISTANT],
      ['openAI', 'gpt-4', 'gpt-3.5-turbo'],
      ['Mistral', 'mistral-tiny', 'mistral-large'],
    ]);
    expect(found('sea')).toEqual([['assistants', 'asst_1']]);
    expect(found('new a')).toEqual([['assistants', NEW_ASSISTANT]]);
    expect(found('gpt-4')).toEqual([['openAI', 'gpt-4']]);
    expect(searchGroups(endpointGroups(offer, names), '').map((group) => group.endpoint)).toEqual([
      'openAI',
      'Mistral',
    ]);
  });

  test('leaves an assistant its model, which may be of any endpoint', () => {
    const catalog = { endpoints: { assistants: { order: 1 } }, models: { assistants: ['gpt-4'] } };
    const choice = { endpoint: 'assistants', model: 'claude-opus', settings: { assistant_id: 'asst_1' } };
    expect(revalidateChoice(choice, catalog, nothing)).toBe(choice);
    expect(chooseForNewChat(catalog, { ...nothing, setup: choice }, null)).toEqual(choice);
  });

  test('keeps a whole endpoint when its name matches', () => {
    expect(searchGroups(groups, 'openai')[0]?.models).toEqual(['gpt-4', 'gpt-3.5-turbo']);
  });

  test('has an endpoint whose list of models did not arrive', () => {
    expect(endpointGroups({ endpoints, models: {} }).map((group) => group.models)).toEqual([
      ['gpt-3.5-turbo'],
      ['gpt-3.5-turbo'],
    ]);
  });
});

describe('favorites', () => {
  const groups = endpointGroups(offer);
  const large = { endpoint: 'Mistral', model: 'mistral-large' };

  test('are listed in the order in which they were chosen, when they are offered', () => {
    const gone = { endpoint: 'openAI', model: 'gpt-2' };
    const first = { endpoint: 'openAI', model: 'gpt-4' };
    expect(arrangeModels(groups, [large, gone, first]).starred).toMatchObject([large, first]);
    expect(arrangeModels(searchGroups(groups, 'mistral'), [large, first]).starred).toMatchObject([large]);
  });

  test('stand above the recent models, and neither again in the group of its endpoint', () => {
    const first = { endpoint: 'openAI', model: 'gpt-4' };
    const list = arrangeModels(groups, [large], [first, large]);
    expect(list.starred).toMatchObject([large]);
    expect(list.recent).toMatchObject([first]);
    const shown = list.options.map((one) => JSON.stringify(one));
    expect(new Set(shown).size).toBe(shown.length);
    expect(list.options.length).toBe(groups.flatMap(({ models }) => models).length);
    expect(list.groups.find(({ endpoint }) => endpoint === 'openAI')?.models).not.toContain('gpt-4');
  });

  test('list recent models newest first, once each, and drop the sixth', () => {
    localStorage.clear();
    const store = createStore();
    for (const model of ['a', 'b', 'c', 'd', 'e', 'f', 'c'])
      store.set(recentModelsAtom, withUse(store.get(recentModelsAtom), { endpoint: 'openAI', model }));
    expect(store.get(recentModelsAtom).map(({ model }) => model)).toEqual(['c', 'f', 'e', 'd', 'b']);
    expect(readStored('recentModels', [], parseModelRefs)).toEqual(store.get(recentModelsAtom));
  });

  test('are toggled and stored', () => {
    localStorage.clear();
    const atoms = createStore();
    atoms.set(favouritesAtom, turnFavourite([], large));
    expect(stored('favouriteModels')).toEqual([['Mistral', 'mistral-large']]);
    expect(turnFavourite(atoms.get(favouritesAtom), large)).toEqual([]);
  });
});

describe('the metadata of a model', () => {
  test.each([
    ['gpt-4-turbo', 127990, true],
    ['gpt-4-turbo-preview', 127990, false],
    ['claude-3-opus-20240229', 200000, true],
    ['gpt-3.5-turbo', 16375, false],
    ['llava:13b', undefined, true],
    ['claude-instant-1', 100000, false],
    ['claude-3-7-sonnet-20250219', 200000, true],
    ['claude-opus-4-20250514', 200000, true],
    ['anthropic/claude-sonnet-4.5', 200000, true],
    ['claude-sonnet-4-6', 1000000, true],
    ['claude-fable-5-2', 1000000, true],
    ['gpt-4o-mini', 127990, true],
    ['gpt-4.1', 1047566, true],
    ['o1-mini', 127990, false],
    ['o3-mini', 199990, false],
    ['openai/o4-mini', 199990, true],
    ['gpt-5-nano', 271990, true],
    ['gpt-5.2-chat-latest', 127990, true],
    ['gpt-5.4-mini', 271990, true],
    ['gpt-6.2-astra', 921990, true],
    ['gemini-1.0-pro-latest', 30720, false],
    ['gemini-2.5-pro', 1048576, true],
    ['gemini-flash-lite-latest', 1048576, true],
  ])('%s', (model, tokens, seeing) => {
    expect(findWindow(model)).toBe(tokens);
    expect(takesImages(model)).toBe(seeing);
  });
});

/** As a page that is loaded now would have it. */
function memory(): LastChoices {
  const atoms = createStore();
  const leave = atoms.sub(lastChoicesAtom, () => {});
  leave();
  return atoms.get(lastChoicesAtom);
}

function store(key: string, value: unknown): void {
  localStorage.setItem(key, JSON.stringify(value));
}

function stored(key: string): unknown {
  return JSON.parse(localStorage.getItem(key) ?? 'null');
}
