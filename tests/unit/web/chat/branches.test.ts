// @vitest-environment happy-dom
import { messageNode } from '@parley/schema/messages/thread';
import { addToTree, buildTree } from '@parley/schema/messages/tree';
import { describe, expect, test } from 'vitest';
import { choicesTo, shownPath, withBranches } from '../../../../web/src/chat/cache/branches.ts';
import { message } from './people.ts';

const thread = [
  message('question', 1, { isCreatedByUser: true }),
  message('first answer', 2, { parentMessageId: 'question' }),
  message('second answer', 3, { parentMessageId: 'question' }),
  message('follow-up', 4, { parentMessageId: 'first answer', isCreatedByUser: true }),
];
const tree = buildTree(thread.map(messageNode));

function shown(branches: Record<string, string>): string[] {
  return shownPath(tree, branches).map(({ messageId }) => messageId);
}

describe('the branch on screen', () => {
  test('follows the newest sibling when no sibling has replies', () => {
    const fork = buildTree(thread.slice(0, 3).map(messageNode));
    expect(shownPath(fork, {}).map(({ messageId }) => messageId)).toEqual(['question', 'second answer']);
  });

  test('goes to the newest message when nothing was chosen, not to the newest sibling', () => {
    expect(shown({})).toEqual(['question', 'first answer', 'follow-up']);
  });

  test('goes to the newest message below a choice', () => {
    const wider = addToTree(
      tree,
      [
        message('aside', 5, { parentMessageId: 'second answer', isCreatedByUser: true }),
        message('reply to it', 6, { parentMessageId: 'aside' }),
        message('another aside', 7, { parentMessageId: 'second answer', isCreatedByUser: true }),
        message('another reply', 8, { parentMessageId: 'aside' }),
        message('the last word', 9, { parentMessageId: 'follow-up' }),
      ].map(messageNode),
    );
    const path = shownPath(wider, { question: 'second answer' }).map(({ messageId }) => messageId);
    expect(path).toEqual(['question', 'second answer', 'aside', 'another reply']);
  });

  test('follows the chosen sibling to its own leaf', () => {
    expect(shown({ question: 'second answer' })).toEqual(['question', 'second answer']);
  });

  test('ignores a choice of a missing message', () => {
    expect(shown({ question: 'never sent' })).toEqual(['question', 'first answer', 'follow-up']);
  });

  test('is empty for an empty conversation', () => {
    expect(shownPath(buildTree([]), {})).toEqual([]);
  });

  test('is found in a thread of tens of thousands of nested messages', () => {
    const deep = Array.from({ length: 30_000 }, (_, seq) =>
      message(String(seq), seq, { parentMessageId: seq === 0 ? null : String(seq - 1) }),
    );
    expect(shownPath(buildTree(deep.map(messageNode)), {})).toHaveLength(30_000);
  });

  test('is found when each of tens of thousands of messages has a sibling', () => {
    const nodes = Array.from({ length: 30_000 }, (_, seq) =>
      message(String(seq), seq, { parentMessageId: seq < 2 ? null : String(seq - (seq % 2) - 2) }),
    ).map(messageNode);
    // The even ones go on; their odd siblings do not.
    expect(
      shownPath(buildTree(nodes), {})
        .slice(0, 3)
        .map(({ messageId }) => messageId),
    ).toEqual(['0', '2', '4']);
    expect(shownPath(buildTree(nodes), {})).toHaveLength(15_000);
  });
});

describe('remembered choices', () => {
  test('are added to those of the same conversation, which becomes the latest', () => {
    const before = { lisbon: { a: '1' }, bread: { x: '9' } };
    const after = withBranches(before, 'lisbon', { b: '2' });
    expect(after).toEqual({ bread: { x: '9' }, lisbon: { a: '1', b: '2' } });
    expect(Object.keys(after).at(-1)).toBe('lisbon');
  });

  test('are kept for a hundred conversations, and the oldest is dropped', () => {
    let all = {};
    for (let index = 0; index <= 100; index++) all = withBranches(all, `convo-${index}`, { root: 'x' });
    expect(Object.keys(all)).toHaveLength(100);
    expect(Object.keys(all)).not.toContain('convo-0');
  });
});

describe('the choices that show a message', () => {
  test('are those at the forks above it', () => {
    expect(choicesTo(tree, 'follow-up')).toEqual({ question: 'first answer' });
    expect(shown(choicesTo(tree, 'first answer'))).toContain('first answer');
    expect(choicesTo(tree, 'question')).toEqual({});
  });
});
