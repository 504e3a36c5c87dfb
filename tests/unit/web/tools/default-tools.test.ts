// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import { getDefaultStore } from 'jotai/vanilla';
import { defaultToolsAtom, withDefaultTools } from '../../../../web/src/catalog/default-tools.ts';

const tools = ['calculator', 'mcp:notes'];

describe('the tools of a new chat', () => {
  beforeEach(() => getDefaultStore().set(defaultToolsAtom, []));

  test('are those that the person uses in new chats, instead of none', () => {
    const chat = { type: 'openAI', model: 'gpt-5', tools } as const;
    expect(withDefaultTools({ temperature: 0.5 }, chat)).toEqual({ temperature: 0.5, tools });
    expect(withDefaultTools({}, { ...chat, tools: [] })).toEqual({});
  });

  test('are left out where others were chosen, the model takes none, or an assistant has its own', () => {
    const settings = { tools: ['web_search'] };
    expect(withDefaultTools(settings, { type: 'openAI', model: 'gpt-5', tools })).toBe(settings);
    expect(withDefaultTools({}, { type: 'openAI', model: 'gpt-3.5-turbo-instruct', tools })).toEqual({});
    expect(withDefaultTools({}, { type: 'bingAI', model: 'BingAI', tools })).toEqual({});
    expect(withDefaultTools({}, { type: 'assistants', model: 'gpt-5', tools })).toEqual({});
  });

  test('are remembered by the browser, so that a new chat need not wait for the account', () => {
    getDefaultStore().set(defaultToolsAtom, tools);
    expect(JSON.parse(localStorage.getItem('defaultTools') ?? '')).toEqual(tools);
    expect(getDefaultStore().get(defaultToolsAtom)).toEqual(tools);
  });
});
