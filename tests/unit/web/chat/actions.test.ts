// @vitest-environment happy-dom
import { messageText, type Message } from '@parley/schema/messages/messages';
import { createStore } from 'jotai';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { branchesAtom } from '../../../../web/src/chat/cache/branches.ts';
import { createChatActions, type ChatActions } from '../../../../web/src/chat/chat-actions.ts';
import { listExchanges } from '../../../../web/src/chat/exchanges/exchange.ts';
import { createChatSession, type ChatSession } from '../../../../web/src/chat/chat-session.ts';
import { EMPTY_THREAD, withMessages } from '../../../../web/src/chat/cache/stored-thread.ts';
import { slotAtom } from '../../../../web/src/slots/slot.ts';
import { gpt, message } from './people.ts';
import { startEnglish } from '../start-english.ts';
import { createScriptedApi, refusal, type ScriptedApi } from './scripted-api.ts';
import type { ChatState } from '../../../../web/src/chat/chat-state.ts';

const question = message('question', 1, { isCreatedByUser: true, parts: [{ type: 'text', text: 'Where?' }] });
const answer = message('answer', 2, {
  parentMessageId: 'question',
  parts: [{ type: 'text', text: 'Walk' }],
  finishReason: 'length',
});

/** The pane's slot. */
const INDEX = 7;

let chatApi: ScriptedApi;
let store: ReturnType<typeof createStore>;
let chatSession: ChatSession;
let users = 0;

beforeAll(startEnglish);

beforeEach(() => {
  localStorage.clear();
  chatApi = createScriptedApi();
  store = createStore();
  const cache = {
    findMessages: () => withMessages(EMPTY_THREAD, [question]).nodes,
    begin: () => {},
    putConvo: () => {},
    saveColumns: async () => undefined,
    putMessages: () => {},
    forget: () => {},
    applyFinal: async () => {},
    refresh: () => {},
    refreshAll: () => {},
    isBehind: () => false,
  };
  chatSession = createChatSession({
    userId: `alice-${++users}`,
    chatApi,
    store,
    cache,
    onStopFailed() {},
    onReadingRefused() {},
  });
});

/** What can be done in a chat that shows these messages, all of them on one branch and loaded. */
function actionsOn(messages: readonly Message[], rest: Partial<ChatState> = {}): ChatActions {
  const stored = withMessages(EMPTY_THREAD, messages);
  const state: ChatState = {
    loading: { status: 'ready' },
    convo: undefined,
    stored,
    exchanges: [],
    running: undefined,
    generationId: null,
    tree: stored.tree,
    path: stored.nodes,
    exchangeOf: new Map(),
    findMessage: (messageId) => stored.bodies.get(messageId),
    slot: { conversationId: 'lisbon', isNewChat: false, choice: null },
    modelTarget: gpt,
    keyState: { status: 'unneeded' },
    isModelGone: false,
    assistantState: { status: 'unneeded' },
    blockedBy: null,
    ...rest,
  };
  return createChatActions({ chatSession, store, index: INDEX }, state).actions;
}

async function asked(count = 1) {
  await expect.poll(() => chatApi.asks.length).toBe(count);
  return chatApi.asks[count - 1]?.input ?? expect.fail();
}

test('a question that nobody can answer is not sent, and the console says that no endpoint is there', () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue(undefined);
  expect(actionsOn([], { modelTarget: null }).send('Where?')).toBe(false);
  expect(logged.mock.calls).toEqual([['undefined endpoint']]);
  logged.mockRestore();
});

describe('an edited question', () => {
  test('becomes a sibling of the old one, and is shown', async () => {
    const followUp = message('follow-up', 3, { parentMessageId: 'answer', isCreatedByUser: true });
    expect(actionsOn([question, answer, followUp]).submitEdit(followUp, '  And then?  ')).toBe(true);
    const { target } = await asked();
    expect(target).toMatchObject({ kind: 'send', parentMessageId: 'answer', text: 'And then?' });
    const messageId = target.kind === 'send' ? target.messageId : '';
    expect(messageId).not.toBe('follow-up');
    expect(store.get(branchesAtom).lisbon).toMatchObject({ answer: messageId });
  });

  test('has no parent at the start of the conversation', async () => {
    actionsOn([question, answer]).submitEdit(question, 'Where to?');
    expect((await asked()).target).toMatchObject({ kind: 'send', parentMessageId: null });
  });

  test('may be its files alone, unlike an answer', async () => {
    const file = { type: 'file', fileId: 'f', path: '/f', name: 'f', mime: 'a/b', bytes: 1 } as const;
    expect(actionsOn([question, answer]).submitEdit({ ...answer, parts: [file] }, ' \n ')).toBe(false);
    expect(actionsOn([question, answer]).submitEdit({ ...question, parts: [file] }, ' \n ')).toBe(true);
    expect((await asked()).target).toMatchObject({ kind: 'send', text: '', files: ['f'] });
  });

  test('leaves out files that were deleted, and is not sent when nothing is left', async () => {
    const file = { type: 'file', fileId: 'f', path: '/f', name: 'f', mime: 'a/b', bytes: 1 } as const;
    const files = { ...question, parts: [file, { ...file, fileId: 'gone' }] };
    expect(actionsOn([question, answer]).submitEdit(files, '', ['f', 'gone'])).toBe(false);
    expect(actionsOn([question, answer]).submitEdit(files, 'Where to?', ['gone'])).toBe(true);
    expect((await asked()).target).toMatchObject({ kind: 'send', text: 'Where to?', files: ['f'] });
  });

  test('is not sent without text, nor during an answer', () => {
    expect(actionsOn([question, answer]).submitEdit(question, ' \n ')).toBe(false);
    expect(actionsOn([question, answer], { generationId: 'run' }).submitEdit(question, 'Where to?')).toBe(false);
    expect(chatApi.asks).toEqual([]);
  });

  test('returns to the message when it is refused, not to the composer, and is retried from there', async () => {
    const actions = actionsOn([question, answer]);
    actions.submitEdit(question, 'Where to?');
    const { generationId } = await asked();
    chatApi.asks[0]?.reject(refusal({ type: 'concurrent', limit: 1 }));
    await expect.poll(() => listExchanges(store, 'lisbon').map(({ status }) => status)).toEqual(['failed']);
    expect(store.get(chatSession.drafts.editAtom('question'))).toBe('Where to?');
    expect(store.get(chatSession.drafts.draftAtom('lisbon'))).toBe('');

    actions.retry(generationId);
    expect((await asked(2)).target).toMatchObject({ kind: 'send', text: 'Where to?' });
    expect(store.get(chatSession.drafts.editAtom('question'))).toBeUndefined();
  });
});

describe('an answer', () => {
  test('is continued as a sibling when its text is edited', async () => {
    actionsOn([question, answer]).submitEdit(answer, 'Walk down');
    const { target, replyId } = await asked();
    expect(target).toEqual({ kind: 'edit', messageId: 'answer', text: 'Walk down' });
    expect(store.get(branchesAtom).lisbon).toMatchObject({ question: replyId });
    expect(listExchanges(store, 'lisbon').map(({ reply }) => messageText(reply))).toEqual(['Walk down']);
  });

  test('is continued in the same message', async () => {
    actionsOn([question, answer]).continueReply(answer);
    expect(await asked()).toMatchObject({ replyId: 'answer', target: { kind: 'continue', messageId: 'answer' } });
    expect(listExchanges(store, 'lisbon').map(({ reply }) => messageText(reply))).toEqual(['Walk']);
  });

  test('goes on in the same message with the decisions about its tool calls, once', async () => {
    const actions = actionsOn([question, answer]);
    actions.resume(answer, { '0:0': 'allow', '0:1': 'deny' });
    actions.resume(answer, { '0:0': 'always' });
    const target = { kind: 'resume', messageId: 'answer', decisions: { '0:0': 'allow', '0:1': 'deny' } };
    expect(await asked()).toMatchObject({ replyId: 'answer', target });
    expect(chatApi.asks).toHaveLength(1);
    expect(listExchanges(store, 'lisbon').map(({ reply }) => [reply.messageId, reply.unfinished])).toEqual([
      ['answer', true],
    ]);
  });

  test('is continued even without a question above it', async () => {
    const orphan = { ...answer, parentMessageId: null };
    actionsOn([orphan]).continueReply(orphan);
    expect((await asked()).target).toEqual({ kind: 'continue', messageId: 'answer' });
    expect(listExchanges(store, 'lisbon').map(({ request }) => request.messageId)).toEqual(['answer']);
  });

  test('is regenerated for its question, even when that is not loaded, and not without one', async () => {
    const findMessage = (messageId: string) => (messageId === 'answer' ? answer : undefined);
    actionsOn([question, answer], { findMessage }).regenerate(answer);
    expect((await asked()).target).toEqual({ kind: 'regenerate', parentMessageId: 'question' });
    actionsOn([answer]).regenerate({ ...answer, parentMessageId: null });
    expect(chatApi.asks).toHaveLength(1);
  });

  test('is regenerated by another model, which the chat keeps', async () => {
    const other = { endpoint: 'anthropic', endpointType: 'anthropic', model: 'claude-3-opus' } as const;
    actionsOn([question, answer]).regenerate(answer, other);
    expect(await asked()).toMatchObject({
      endpoint: 'anthropic',
      model: 'claude-3-opus',
      target: { kind: 'regenerate', parentMessageId: 'question' },
    });
    expect(store.get(slotAtom(INDEX)).choice).toMatchObject({ endpoint: 'anthropic', model: 'claude-3-opus' });
  });
});

test('a second click at the same moment has no effect', async () => {
  const actions = actionsOn([question, answer]);
  actions.continueReply(answer);
  actions.continueReply(answer);
  actions.regenerate(answer);
  await asked();
  expect(chatApi.asks).toHaveLength(1);
});
