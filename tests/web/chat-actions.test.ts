// @vitest-environment happy-dom
import { textOf, type Message } from '@parley/schema/messages';
import { createStore } from 'jotai';
import { beforeEach, describe, expect, test } from 'vitest';
import { branchesAtom } from '../../web/src/chat/thread/branches.ts';
import { createChatActions, type ChatActions } from '../../web/src/chat/chat-actions.ts';
import { listExchanges } from '../../web/src/chat/exchanges/exchange.ts';
import { createRoom, type Room } from '../../web/src/chat/room.ts';
import { EMPTY_THREAD, withMessages } from '../../web/src/chat/thread/stored-thread.ts';
import type { ChatState } from '../../web/src/chat/use-chat.ts';
import { gpt, message } from './chat-people.ts';
import { createScriptedWire, refusal, type ScriptedWire } from './chat-scripted-wire.ts';

const question = message('question', 1, { isCreatedByUser: true, parts: [{ type: 'text', text: 'Where?' }] });
const answer = message('answer', 2, {
  parentMessageId: 'question',
  parts: [{ type: 'text', text: 'Walk' }],
  finishReason: 'length',
});

let wire: ScriptedWire;
let store: ReturnType<typeof createStore>;
let room: Room;
let users = 0;

beforeEach(() => {
  localStorage.clear();
  wire = createScriptedWire();
  store = createStore();
  const cache = {
    findMessages: () => withMessages(EMPTY_THREAD, [question]).nodes,
    begin: () => {},
    putConvo: () => {},
    putMessages: () => {},
    forget: () => {},
    settle: async () => {},
    refresh: () => {},
    refreshAll: () => {},
    isBehind: () => false,
  };
  room = createRoom({ userId: `alice-${++users}`, wire, store, cache, onStopFailed() {}, onReadingRefused() {} });
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
    slot: { conversationId: 'lisbon', isFresh: false, choice: null },
    addressee: gpt,
    keyState: { status: 'unneeded' },
    blockedBy: null,
    ...rest,
  };
  return createChatActions({ room, store, index: 7 }, state).actions;
}

async function asked(count = 1) {
  await expect.poll(() => wire.asks.length).toBe(count);
  return wire.asks[count - 1]?.input ?? expect.fail();
}

describe('an edited question', () => {
  test('is asked beside the old one, under the same message, and is on screen', async () => {
    const followUp = message('follow-up', 3, { parentMessageId: 'answer', isCreatedByUser: true });
    expect(actionsOn([question, answer, followUp]).submitEdit(followUp, '  And then?  ')).toBe(true);
    const { target } = await asked();
    expect(target).toMatchObject({ kind: 'send', parentMessageId: 'answer', text: 'And then?' });
    const messageId = target.kind === 'send' ? target.messageId : '';
    expect(messageId).not.toBe('follow-up');
    expect(store.get(branchesAtom).lisbon).toMatchObject({ answer: messageId });
  });

  test('that opens the conversation has no parent', async () => {
    actionsOn([question, answer]).submitEdit(question, 'Where to?');
    expect((await asked()).target).toMatchObject({ kind: 'send', parentMessageId: null });
  });

  test('is not asked without a text, nor while an answer is being written', () => {
    expect(actionsOn([question, answer]).submitEdit(question, ' \n ')).toBe(false);
    expect(actionsOn([question, answer], { generationId: 'run' }).submitEdit(question, 'Where to?')).toBe(false);
    expect(wire.asks).toEqual([]);
  });

  test('is back in the message when it is refused, not in the box, and goes from there when it is tried again', async () => {
    const actions = actionsOn([question, answer]);
    actions.submitEdit(question, 'Where to?');
    const { generationId } = await asked();
    wire.asks[0]?.reject(refusal({ type: 'concurrent', limit: 1 }));
    await expect.poll(() => listExchanges(store, 'lisbon').map(({ status }) => status)).toEqual(['failed']);
    expect(store.get(room.drafts.editAtom('question'))).toBe('Where to?');
    expect(store.get(room.drafts.draftAtom('lisbon'))).toBe('');

    actions.retry(generationId);
    expect((await asked(2)).target).toMatchObject({ kind: 'send', text: 'Where to?' });
    expect(store.get(room.drafts.editAtom('question'))).toBeUndefined();
  });
});

describe('an answer', () => {
  test('whose text was edited is gone on from beside the old one', async () => {
    actionsOn([question, answer]).submitEdit(answer, 'Walk down');
    const { target, replyId } = await asked();
    expect(target).toEqual({ kind: 'edit', messageId: 'answer', text: 'Walk down' });
    expect(store.get(branchesAtom).lisbon).toMatchObject({ question: replyId });
    expect(listExchanges(store, 'lisbon').map(({ reply }) => textOf(reply))).toEqual(['Walk down']);
  });

  test('goes on as the same message', async () => {
    actionsOn([question, answer]).continueReply(answer);
    expect(await asked()).toMatchObject({ replyId: 'answer', target: { kind: 'continue', messageId: 'answer' } });
    expect(listExchanges(store, 'lisbon').map(({ reply }) => textOf(reply))).toEqual(['Walk']);
  });

  test('goes on also where no question stands above it', async () => {
    const orphan = { ...answer, parentMessageId: null };
    actionsOn([orphan]).continueReply(orphan);
    expect((await asked()).target).toEqual({ kind: 'continue', messageId: 'answer' });
    expect(listExchanges(store, 'lisbon').map(({ request }) => request.messageId)).toEqual(['answer']);
  });

  test('is repeated for its question, also when that is not loaded, and not where there is none', async () => {
    const findMessage = (messageId: string) => (messageId === 'answer' ? answer : undefined);
    actionsOn([question, answer], { findMessage }).regenerate(answer);
    expect((await asked()).target).toEqual({ kind: 'regenerate', parentMessageId: 'question' });
    actionsOn([answer]).regenerate({ ...answer, parentMessageId: null });
    expect(wire.asks).toHaveLength(1);
  });
});

test('a second click in the same moment asks nothing', async () => {
  const actions = actionsOn([question, answer]);
  actions.continueReply(answer);
  actions.continueReply(answer);
  actions.regenerate(answer);
  await asked();
  expect(wire.asks).toHaveLength(1);
});
