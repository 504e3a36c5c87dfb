import type { Message } from '@parley/schema/messages/messages';
import { messageNode, type Outline, type ThreadNode, type ThreadStart } from '@parley/schema/messages/thread';
import { buildTree } from '@parley/schema/messages/tree';
import { describe, expect, test } from 'vitest';
import {
  withMessagesSeq,
  EMPTY_THREAD,
  startThread,
  withBodies,
  withMessages,
  type StoredThread,
} from '../../../../web/src/chat/cache/stored-thread.ts';
import { message } from './people.ts';

const later = '2024-05-01T13:00:00.000Z';

const question = message('question', 1, { isCreatedByUser: true });
const answer = message('answer', 2, { parentMessageId: 'question' });
const followUp = message('follow-up', 3, { parentMessageId: 'answer', isCreatedByUser: true });

function outlineOf(messages: readonly Message[], over: Partial<Outline> = {}): Outline {
  const ids = messages.map(({ messageId }) => messageId);
  return {
    ids,
    parents: messages.map(({ parentMessageId }) => ids.indexOf(parentMessageId ?? '')),
    seqs: messages.map(({ seq }) => seq),
    byUser: messages.map(({ isCreatedByUser }) => Number(isCreatedByUser)),
    sizes: messages.map(() => 10),
    versions: messages.map(({ updatedAt }) => Date.parse(updatedAt)),
    ...over,
  };
}

function start(messages: readonly Message[], bodies: readonly Message[], over: Partial<Outline> = {}): ThreadStart {
  return { outline: outlineOf(messages, over), messagesSeq: 7, bodies: [...bodies], runningReplies: [] };
}

function ids(thread: StoredThread): string[] {
  return [...thread.bodies.keys()].toSorted();
}

describe('a conversation that is read again', () => {
  const before = startThread(start([question, answer], [question, answer]));

  test('keeps the messages that did not change', () => {
    const after = startThread(start([question, answer, followUp], [followUp]), before);
    expect(ids(after)).toEqual(['answer', 'follow-up', 'question']);
    expect(after.bodies.get('answer')).toBe(answer);
  });

  test('drops those that changed or are gone', () => {
    const edited = { ...answer, updatedAt: later };
    expect(ids(startThread(start([question, edited], []), before))).toEqual(['question']);
    expect(ids(startThread(start([question], []), before))).toEqual(['question']);
  });

  test('keeps what is newer than the response', () => {
    const here = withMessages(before, [{ ...answer, sender: 'edited', updatedAt: later }]);
    expect(startThread(start([question, answer], []), here).bodies.get('answer')?.sender).toBe('edited');
  });

  test('moves a message whose parent changed', () => {
    const moved = { ...followUp, parentMessageId: 'question' };
    const here = startThread(start([question, answer, followUp], [followUp]));
    const after = startThread(start([question, moved], []), here);
    expect(after.bodies.get('follow-up')?.parentMessageId).toBe('question');
  });
});

describe('an update of a conversation', () => {
  test('adds messages to the tree in the order of creation', () => {
    const thread = withMessages(withMessages(EMPTY_THREAD, [question, answer]), [followUp]);
    expect(thread.nodes.map(({ messageId }) => messageId)).toEqual(['question', 'answer', 'follow-up']);
    expect(thread.tree).toEqual(buildTree([question, answer, followUp].map(messageNode)));
  });

  test('replaces a known message, also one with a provisional number', () => {
    const provisional = message('answer', Number.MAX_SAFE_INTEGER, { parentMessageId: 'question' });
    const thread = withMessages(withMessages(EMPTY_THREAD, [question, provisional]), [answer]);
    expect(thread.tree.children.get('question')).toEqual([messageNode(answer)]);
    expect(thread.bodies.get('answer')).toBe(answer);
  });

  test('has a change number that never decreases', () => {
    expect(withMessagesSeq(withMessagesSeq(EMPTY_THREAD, 5), 3).messagesSeq).toBe(5);
  });
});

test('very long messages are dropped oldest first, but never those a screen may show', () => {
  const messages = Array.from({ length: 40 }, (_, n) => message(`m${n}`, n));
  const sizes = messages.map(() => 3_000_000);
  const thread = startThread(start(messages, [], { sizes }));
  const read = messages.reduce((known, one) => withBodies(known, [one]), thread);
  expect([...read.bodies.keys()]).toEqual(messages.slice(-24).map(({ messageId }) => messageId));
});

test('adding messages leaves the previous tree unchanged', () => {
  const nodes: ThreadNode[] = [question, answer].map(messageNode);
  const thread = startThread(start([question, answer], []));
  withMessages(thread, [followUp]);
  expect([...thread.tree.byId.values()]).toEqual(nodes.map((node) => ({ ...node, size: 10 })));
});
