// @vitest-environment happy-dom
import { nodeOf } from '@parley/schema/thread';
import { buildTree } from '@parley/schema/tree';
import { describe, expect, test } from 'vitest';
import { choicesTo, shownPath, withBranches } from '../../web/src/chat/thread/branches.ts';
import { message } from './chat-people.ts';

const thread = [
  message('question', 1, { isCreatedByUser: true }),
  message('first answer', 2, { parentMessageId: 'question' }),
  message('second answer', 3, { parentMessageId: 'question' }),
  message('follow-up', 4, { parentMessageId: 'first answer', isCreatedByUser: true }),
];
const tree = buildTree(thread.map(nodeOf));

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
    expect(shownPath(buildTree(deep.map(nodeOf)), {})).toHaveLength(30_000);
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

describe('the choices that show a message', () => {
  test('are those at the forks above it', () => {
    expect(choicesTo(tree, 'follow-up')).toEqual({ question: 'first answer' });
    expect(shown(choicesTo(tree, 'first answer'))).toContain('first answer');
    expect(choicesTo(tree, 'question')).toEqual({});
  });
});
