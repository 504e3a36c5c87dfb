// The form of the builder: how an assistant becomes fields, and what is sent when they are saved.
import type { Assistant, AssistantTool } from '@parley/schema/assistants/assistants';
import { expect, test } from 'vitest';
import {
  allowedSwitches,
  emptyForm,
  formOf,
  inputOf,
  isChanged,
  pickedTools,
} from '../../../../web/src/assistants/builder/builder-form.ts';
import { findTools } from '../../../../web/src/assistants/builder/find-tools.ts';

const SEARCHING = ['gpt-4-turbo'];

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
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

test('an assistant becomes fields: its tools are switches, picked tools, or belong to actions', () => {
  expect(formOf(guide)).toEqual({
    name: 'Guide',
    description: '',
    instructions: 'Be brief.',
    model: 'gpt-4-turbo',
    switches: { code_interpreter: false, retrieval: true, image_vision: true },
    addedTools: [],
    removedTools: [],
    starters: ['Hello?'],
    isShared: false,
  });
  expect(pickedTools(guide.tools)).toEqual(['calculator']);
});

test('retrieval is off for a model that cannot search files', () => {
  const form = { ...formOf(guide), model: 'gpt-4' };
  expect(allowedSwitches(form, SEARCHING).retrieval).toBe(false);
  expect(inputOf(form, guide, SEARCHING).tools).not.toContainEqual({ type: 'retrieval' });
  expect(inputOf(formOf(guide), guide, SEARCHING).tools).toContainEqual({ type: 'retrieval' });
});

test('saving keeps the functions of actions, adds and removes picked tools, and trims', () => {
  const form = {
    ...formOf(guide),
    name: '  Pilot ',
    description: '   ',
    switches: { code_interpreter: true, retrieval: false, image_vision: false },
    addedTools: ['google'],
    removedTools: ['calculator'],
    starters: [' Where? ', '  '],
    isShared: true,
  };
  expect(inputOf(form, guide, SEARCHING)).toEqual({
    name: 'Pilot',
    description: null,
    instructions: 'Be brief.',
    model: 'gpt-4-turbo',
    tools: [named('listPets_action_pets'), { type: 'code_interpreter' }, 'google'],
    metadata: { author: 'alice', conversation_starters: ['Where?'] },
    isShared: true,
  });
});

test('a form is changed once something in it differs', () => {
  expect(isChanged(formOf(guide), formOf(guide))).toBe(false);
  expect(isChanged({ ...formOf(guide), starters: [] }, formOf(guide))).toBe(true);
  expect(isChanged(emptyForm('gpt-4'), emptyForm('gpt-4-turbo'))).toBe(true);
});

test('tools are found by a part of their name, in any case', () => {
  const tool = (label: string) => ({
    key: label,
    from: { source: 'plugin' as const, id: label, label },
    description: 'Google',
    unavailable: null,
  });
  const tools = [tool('Google Search'), tool('Calculator')];
  expect(findTools(tools, ' gOOgle ', 'en-US').map(({ key }) => key)).toEqual(['Google Search']);
  expect(findTools(tools, '', 'en-US')).toHaveLength(2);
});
