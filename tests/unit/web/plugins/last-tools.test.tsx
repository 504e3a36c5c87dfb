// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noteLastTools, readLastTools, useLastTools } from '../../../../web/src/chat/tools/use-last-tools.ts';
import type { Slot } from '../../../../web/src/slots/slot.ts';

beforeEach(() => localStorage.clear());
afterEach(cleanup);

type EndpointType = 'gptPlugins' | 'openAI';

function chatOf(endpointType: EndpointType, slot: Partial<Slot> = {}, tools: string[] = []) {
  const settings = { tools };
  return {
    slot: { conversationId: 'first', isNewChat: false, choice: null, ...slot },
    modelTarget: { endpoint: endpointType, endpointType, model: 'gpt-4', settings },
  };
}

function open(chat: ReturnType<typeof chatOf>) {
  const chosen: string[][] = [];
  const { rerender } = renderHook((now) => useLastTools(now, (keys) => chosen.push(keys)), {
    initialProps: chat,
  });
  return { chosen, note: (keys: string[]) => noteLastTools(chat, keys), become: rerender };
}

test('the tools chosen last on the plugins endpoint are those of a conversation that is opened without any', () => {
  open(chatOf('gptPlugins')).note(['calculator']);
  const { chosen, become } = open(chatOf('gptPlugins'));
  expect(chosen).toEqual([['calculator']]);
  become(chatOf('gptPlugins', { conversationId: 'second' }));
  expect(chosen).toHaveLength(2);
  become(chatOf('gptPlugins', { conversationId: 'third' }, ['google']));
  expect(chosen).toHaveLength(2);
});

test('other endpoints neither note nor get them', () => {
  open(chatOf('openAI')).note(['calculator']);
  expect(readLastTools()).toEqual([]);
  open(chatOf('gptPlugins')).note(['calculator']);
  expect(open(chatOf('openAI')).chosen).toEqual([]);
});

test('a new chat keeps its choice when it becomes a conversation', () => {
  open(chatOf('gptPlugins')).note(['calculator']);
  const { chosen, become } = open(chatOf('gptPlugins', { isNewChat: true }));
  become(chatOf('gptPlugins'));
  expect(chosen).toEqual([]);
});

test('people who turned all tools off get none back', () => {
  open(chatOf('gptPlugins')).note([]);
  expect(open(chatOf('gptPlugins')).chosen).toEqual([]);
});
