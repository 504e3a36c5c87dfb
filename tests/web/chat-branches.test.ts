// @vitest-environment happy-dom
import { buildTree } from '@parley/schema/tree';
import { describe, expect, test } from 'vitest';
import { shownPath, withBranches } from '../../web/src/chat/branches.ts';
import { mergeMessages } from '../../web/src/chat/merge-messages.ts';
import { message } from './chat-people.ts';

const thread = [
  message('question', 1, { isCreatedByUser: true }),
  message('first answer', 2, { parentMessageId: 'question' }),
  message('second answer', 3, { parentMessageId: 'question' }),
  message('follow-up', 4, { parentMessageId: 'first answer', isCreatedByUser: true }),
];
const tree = buildTree(thread);

function shown(branches: Record<string, string>): string[] {
  return shownPath(tree, branches).map(({ messageId }) => messageId);
}

describe('the branch on screen', () => {
  test('follows the newest sibling where nothing was chosen', () => {
    expect(shown({})).toEqual(['question', 'second answer']);
  });

  test('follows the chosen sibling down to its own leaf', () => {
    expect(shown({ question: 'first answer' })).toEqual(['question', 'first answer', 'follow-up']);
  });

  test('forgets a choice of a message that is not there', () => {
    expect(shown({ question: 'never sent' })).toEqual(['question', 'second answer']);
  });

  test('is empty for an empty conversation', () => {
    expect(shownPath(buildTree([]), {})).toEqual([]);
  });

  test('is found in a thread that is tens of thousands of messages deep', () => {
    const deep = Array.from({ length: 30_000 }, (_, seq) =>
      message(String(seq), seq, { parentMessageId: seq === 0 ? null : String(seq - 1) }),
    );
    expect(shownPath(buildTree(deep), {})).toHaveLength(30_000);
  });
});

describe('remembered choices', () => {
  test('add to those of the same conversation and make it the last changed', () => {
    const before = { lisbon: { a: '1' }, bread: { x: '9' } };
    const after = withBranches(before, 'lisbon', { b: '2' });
    expect(after).toEqual({ bread: { x: '9' }, lisbon: { a: '1', b: '2' } });
    expect(Object.keys(after).at(-1)).toBe('lisbon');
  });

  test('keep a hundred conversations and drop the one changed longest ago', () => {
    let all = {};
    for (let index = 0; index <= 100; index++) all = withBranches(all, `convo-${index}`, { root: 'x' });
    expect(Object.keys(all)).toHaveLength(100);
    expect(Object.keys(all)).not.toContain('convo-0');
  });
});

describe('messages that join a list', () => {
  test('replace what had their id and keep the order of creation', () => {
    const merged = mergeMessages(thread, [
      message('first answer', 2, { parentMessageId: 'question', sender: 'Claude' }),
      message('third answer', 5, { parentMessageId: 'question' }),
    ]);
    expect(merged.map(({ messageId }) => messageId)).toEqual([
      'question',
      'first answer',
      'second answer',
      'follow-up',
      'third answer',
    ]);
    expect(merged[1]?.sender).toBe('Claude');
    expect(merged[0]).toBe(thread[0]);
  });
});
