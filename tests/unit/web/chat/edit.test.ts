// @vitest-environment happy-dom
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { messageText, type MessagePart, type ToolCall } from '@parley/schema/messages/messages';
import { describe, expect, test } from 'vitest';
import { replyActions } from '../../../../web/src/chat/message/reply-actions.ts';
import {
  isProvisional,
  prepareAgain,
  prepareContinue,
  prepareEdit,
  prepareSend,
} from '../../../../web/src/chat/exchanges/prepare-ask.ts';
import { readToolCall } from '../../../../web/src/chat/message/read-tool-call.ts';
import { gpt, message } from './people.ts';

const text = (words: string): MessagePart => ({ type: 'text', text: words });
const question = message('question', 1, { isCreatedByUser: true, parts: [text('Where?')] });
const answer = message('answer', 2, {
  parentMessageId: 'question',
  parts: [text('Walk up')],
  finishReason: 'length',
  generationId: 'first run',
});

describe('an ask', () => {
  test("keeps the reply's name and its text on screen when it continues", () => {
    const { ask, reply } = prepareContinue(question, answer, gpt);
    expect(ask).toMatchObject({ replyId: 'answer', target: { kind: 'continue', messageId: 'answer' } });
    expect(reply).toMatchObject({ messageId: 'answer', seq: 2, unfinished: true, finishReason: null });
    expect(reply.generationId).toBe(ask.generationId);
    expect(messageText(reply)).toBe('Walk up');
  });

  test('makes a sibling that begins with the edited answer', () => {
    const { ask, reply, editOf } = prepareEdit(question, answer, 'Walk down', gpt);
    expect(ask.target).toEqual({ kind: 'edit', messageId: 'answer', text: 'Walk down' });
    expect(reply).toMatchObject({ messageId: ask.replyId, parentMessageId: 'question', unfinished: true });
    expect(ask.replyId).not.toBe('answer');
    expect(messageText(reply)).toBe('Walk down');
    expect(editOf).toBe('answer');
  });

  test.each([
    { ...prepareSend('lisbon', null, 'Where to?', gpt), editOf: 'question' },
    prepareContinue(question, answer, gpt),
    prepareEdit(question, answer, 'Walk down', gpt),
  ])('that was refused is the same ask under new ids: $ask.target.kind', (asking) => {
    const again = prepareAgain(asking, gpt);
    expect(again.ask.generationId).not.toBe(asking.ask.generationId);
    const { messageId: _first, ...target } = asking.ask.target as { messageId: string };
    expect(again.ask.target).toMatchObject(target);
    if (asking.ask.target.kind !== 'send') expect(again.ask.target).toEqual(asking.ask.target);
    expect(again.editOf).toBe(asking.editOf);
    expect(messageText(again.reply)).toBe(messageText(asking.reply));
    expect(again.reply.parentMessageId).toBe(again.request.messageId);
  });

  test('has provisional messages that differ from stored ones', () => {
    const { request, reply } = prepareSend('lisbon', null, 'Where to?', gpt);
    expect([request, reply, question, answer].map(isProvisional)).toEqual([true, true, false, false]);
  });
});

describe('the actions of an answer', () => {
  const toolPart: MessagePart = {
    type: 'tool_call',
    call: {
      id: '0:0',
      kind: 'function',
      name: 'calculator',
      input: '{}',
      output: '42',
      progress: 1,
      step: 0,
      state: 'done',
      from: { source: 'builtin', id: 'calculator', label: 'Calculator' },
    },
  };
  const latest = { isLatest: true, hasQuestion: true, isBusy: false, isEditing: false, isRefused: false };
  const of = (endpointType: EndpointType) => ({ ...answer, endpointType });

  test.each<[EndpointType, boolean, boolean, boolean]>([
    ['openAI', true, true, true],
    ['azureOpenAI', true, true, true],
    ['custom', true, true, true],
    ['google', true, true, true],
    ['anthropic', true, true, true],
    ['gptPlugins', true, true, true],
    ['chatGPTBrowser', true, true, false],
    ['bingAI', true, true, false],
    ['assistants', false, false, true],
  ])('%s: edit %s, regenerate %s, continue %s', (endpointType, edit, regenerate, goesOn) => {
    expect(replyActions(of(endpointType), latest)).toMatchObject({ edit, regenerate, continue: goesOn });
  });

  test('include continuing only for the latest answer that has begun, is incomplete and is not being edited', () => {
    expect(replyActions(answer, { ...latest, isLatest: false }).continue).toBe(false);
    expect(replyActions(answer, { ...latest, isEditing: true }).continue).toBe(false);
    expect(replyActions(answer, { ...latest, isBusy: true }).continue).toBe(false);
    expect(replyActions({ ...answer, finishReason: 'stop' }, latest).continue).toBe(false);
    expect(
      replyActions({ ...answer, finishReason: null, reason: { type: 'provider_broke_off' } }, latest).continue,
    ).toBe(true);
    expect(replyActions({ ...answer, parts: [] }, latest).continue).toBe(false);
    const calls = { ...answer, parts: [toolPart], finishReason: 'incomplete' as const };
    expect(replyActions(calls, latest)).toMatchObject({ continue: true, edit: false });
  });

  test('include continuing its edit, except for google and during an answer', () => {
    expect(replyActions(answer, latest).submitEdit).toBe(true);
    expect(replyActions(of('google'), latest).submitEdit).toBe(false);
    expect(replyActions(answer, { ...latest, isBusy: true }).submitEdit).toBe(false);
  });

  test('are absent for one that the server never received; regenerating needs a question', () => {
    expect(replyActions(answer, { ...latest, isRefused: true })).toMatchObject({
      edit: false,
      regenerate: false,
      continue: false,
    });
    expect(replyActions(answer, { ...latest, hasQuestion: false }).regenerate).toBe(false);
  });
});

describe('a tool call', () => {
  const call: ToolCall = {
    id: '1',
    kind: 'function',
    name: 'get_weather',
    input: '{"a":1}',
    output: null,
    progress: 0.4,
  };

  test('is running below 1, finished at 1, and failed when its output says so', () => {
    expect(readToolCall(call, true)).toMatchObject({ work: 'function', state: 'working', progress: 0.4 });
    expect(readToolCall({ ...call, progress: 1 }, true).state).toBe('finished');
    expect(readToolCall({ ...call, progress: 1, output: 'error processing tool: x' }, true).state).toBe('failed');
  });

  test('counts as one tenth when it has no progress', () => {
    expect(readToolCall({ ...call, progress: 0 }, true).progress).toBe(0.1);
    expect(readToolCall({ ...call, progress: Number.NaN }, true).progress).toBe(0.1);
  });

  test('is labeled by its kind, and image tools by their name', () => {
    expect(readToolCall({ ...call, kind: 'code_interpreter' }, true).work).toBe('code');
    expect(readToolCall({ ...call, kind: 'retrieval' }, true).work).toBe('retrieval');
    expect(readToolCall({ ...call, name: 'dalle' }, true).work).toBe('image');
  });
});
