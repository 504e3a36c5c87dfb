// The form of the builder: how an assistant becomes fields, and what is sent when they are saved.
import type { Assistant, AssistantTool } from '@parley/schema/assistants/assistants';
import { describe, expect, test } from 'vitest';
import {
  chosenToolKeys,
  emptyForm,
  builderForm,
  assistantInput,
  isChanged,
  pickedTools,
  serverTools,
  setServerTools,
  toggleTool,
} from '../../../../web/src/assistants/builder/builder-form.ts';

const SEARCHING = { hasFiles: true, canSearch: true };

const named = (name: string): AssistantTool => ({ type: 'function', function: { name } });

const guide: Assistant = {
  assistantId: 'asst_1',
  endpoint: null,
  model: 'gpt-4-turbo',
  name: 'Guide',
  description: null,
  instructions: 'Be brief.',
  tools: [{ type: 'retrieval' }, named('image_vision'), named('calculator'), named('listPets_action_pets')],
  fileIds: [],
  metadata: { author: 'alice', avatar: '/images/a.png', conversation_starters: ['Hello?'] },
  isShared: false,
  sources: [],
  knowsAsker: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

test('an assistant becomes fields: its tools are switches, picked tools, or belong to actions', () => {
  expect(builderForm(guide)).toEqual({
    name: 'Guide',
    description: '',
    instructions: 'Be brief.',
    endpoint: '',
    model: 'gpt-4-turbo',
    switches: { code_interpreter: false, image_vision: true },
    addedTools: [],
    removedTools: [],
    starters: ['Hello?'],
    isShared: false,
    knowsAsker: false,
  });
  expect(pickedTools(guide.tools)).toEqual(['calculator']);
});

test('files are searched with any model, unless the operator names the models that may', () => {
  const retrieval = { type: 'retrieval' };
  const plain = { ...guide, tools: [] };
  expect(assistantInput(builderForm(plain), plain, SEARCHING).tools).toEqual([retrieval]);
  expect(assistantInput(builderForm(plain), plain, { ...SEARCHING, hasFiles: false }).tools).toEqual([]);
  expect(assistantInput(builderForm(guide), guide, { ...SEARCHING, hasFiles: false }).tools).toContainEqual(retrieval);
  expect(assistantInput(builderForm(guide), guide, { ...SEARCHING, canSearch: false }).tools).not.toContainEqual(
    retrieval,
  );
});

test('tools are switched on and off in one list, whatever they are', () => {
  let form = builderForm(guide);
  const toggle = (key: string) => (form = { ...form, ...toggleTool(form, guide, key) });
  expect(chosenToolKeys(form, guide)).toEqual(['image_vision', 'calculator']);
  for (const key of ['code_interpreter', 'mcp:notes', 'calculator', 'image_vision']) toggle(key);
  expect(chosenToolKeys(form, guide)).toEqual(['code_interpreter', 'mcp:notes']);
  for (const key of ['calculator', 'mcp:notes', 'code_interpreter', 'image_vision']) toggle(key);
  expect(form).toEqual(builderForm(guide));
});

test('saving keeps the functions of actions, adds and removes picked tools, and trims', () => {
  const form = {
    ...builderForm(guide),
    name: '  Pilot ',
    description: '   ',
    endpoint: 'anthropic',
    switches: { code_interpreter: true, image_vision: false },
    addedTools: ['google'],
    removedTools: ['calculator'],
    starters: [' Where? ', '  '],
    isShared: true,
  };
  expect(assistantInput(form, guide, SEARCHING)).toEqual({
    name: 'Pilot',
    description: null,
    instructions: 'Be brief.',
    endpoint: 'anthropic',
    model: 'gpt-4-turbo',
    tools: [named('listPets_action_pets'), { type: 'retrieval' }, { type: 'code_interpreter' }, 'google'],
    metadata: { author: 'alice', conversation_starters: ['Where?'] },
    isShared: true,
    knowsAsker: false,
  });
});

describe('the tools of a server that an assistant uses', () => {
  const all = ['read', 'write', 'list'];
  const some: AssistantTool = { type: 'function', function: { name: 'mcp:notes', parameters: { tools: ['read'] } } };
  const saved = { ...guide, tools: [some] };
  const toolsOf = (form: ReturnType<typeof builderForm>) =>
    assistantInput(form, saved, { hasFiles: false, canSearch: false }).tools;
  const set = (form: ReturnType<typeof builderForm>, names: string[], isOn: boolean) => ({
    ...form,
    ...setServerTools(form, saved, 'mcp:notes', { all, names, isOn }),
  });

  test('stay as they were saved until they are changed', () => {
    const form = builderForm(saved);
    expect(serverTools(form, saved, 'mcp:notes')).toEqual(['read']);
    expect(serverTools(form, saved, 'mcp:other')).toBeNull();
    expect(toolsOf(form)).toEqual([some]);
  });

  test('are chosen by name, and all of them are no choice', () => {
    const more = set(builderForm(saved), ['write'], true);
    expect(toolsOf(more)).toEqual([
      { type: 'function', function: { name: 'mcp:notes', parameters: { tools: ['read', 'write'] } } },
    ]);
    expect(toolsOf(set(more, ['list'], true))).toEqual([named('mcp:notes')]);
    expect(toolsOf(set(more, ['read', 'write'], false))).toEqual([
      { type: 'function', function: { name: 'mcp:notes', parameters: { tools: [] } } },
    ]);
    expect(isChanged(more, builderForm(saved))).toBe(true);
  });

  test('are chosen for a server that was just added', () => {
    const added = { ...builderForm(saved), addedTools: ['mcp:mail'] };
    expect(toolsOf(added)).toContain('mcp:mail');
    const form = { ...added, ...setServerTools(added, saved, 'mcp:mail', { all, names: ['read'], isOn: false }) };
    expect(toolsOf(form)).toContainEqual({
      type: 'function',
      function: { name: 'mcp:mail', parameters: { tools: ['write', 'list'] } },
    });
  });
});

test('a form is changed once something in it differs', () => {
  expect(isChanged(builderForm(guide), builderForm(guide))).toBe(false);
  expect(isChanged({ ...builderForm(guide), starters: [] }, builderForm(guide))).toBe(true);
  expect(isChanged(emptyForm({ endpoint: '', model: 'a' }), emptyForm({ endpoint: 'openAI', model: 'a' }))).toBe(true);
});
