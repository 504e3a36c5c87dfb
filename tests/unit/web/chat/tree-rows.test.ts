import { buildTree } from '@parley/schema/messages/tree';
import { describe, expect, test } from 'vitest';
import { listTree, nextBranch, type TreeNode } from '../../../../web/src/chat/tree/tree-rows.ts';

function node(messageId: string, seq: number, parentMessageId: string | null, isCreatedByUser = false): TreeNode {
  return { messageId, seq, parentMessageId, isCreatedByUser };
}

/** A question with two answers, of which the first was followed by a second question. */
const tree = buildTree([
  node('question', 1, null, true),
  node('first answer', 2, 'question'),
  node('second answer', 3, 'question'),
  node('follow-up', 4, 'first answer', true),
]);

describe('the tree list', () => {
  test('has children after their message, and indents branches', () => {
    expect(
      listTree(tree).map(({ messageId, level, siblingIndex, siblingCount }) => [
        messageId,
        level,
        siblingIndex,
        siblingCount,
      ]),
    ).toEqual([
      ['question', 0, 0, 1],
      ['first answer', 1, 0, 2],
      ['follow-up', 1, 0, 1],
      ['second answer', 1, 1, 2],
    ]);
  });

  test('handles a thread of 20,000 nested messages', () => {
    const deep = Array.from({ length: 20_000 }, (_, seq) => node(`${seq}`, seq, seq === 0 ? null : `${seq - 1}`));
    const rows = listTree(buildTree(deep));
    expect(rows).toHaveLength(20_000);
    expect(rows.at(-1)).toMatchObject({ messageId: '19999', level: 0 });
  });

  test('has all of 500 siblings in order', () => {
    const siblings = Array.from({ length: 500 }, (_, seq) => node(`${seq}`, seq + 1, 'question'));
    const rows = listTree(buildTree([node('question', 0, null, true), ...siblings]));
    expect(rows.slice(1).map(({ siblingIndex }) => siblingIndex)).toEqual(siblings.map((_, index) => index));
    expect(rows.at(-1)).toMatchObject({ level: 1, siblingCount: 500 });
  });

  test('is empty for an empty conversation', () => {
    expect(listTree(buildTree<TreeNode>([]))).toEqual([]);
  });
});

describe('the next branch', () => {
  const rows = listTree(tree);

  test('is the next row with siblings, in either direction', () => {
    expect(nextBranch(rows, 0, 1)).toBe(1);
    expect(nextBranch(rows, 1, 1)).toBe(3);
    expect(nextBranch(rows, 3, -1)).toBe(1);
  });

  test('is the current one when there is no other', () => {
    expect(nextBranch(rows, 3, 1)).toBe(3);
    expect(nextBranch(rows, 1, -1)).toBe(1);
  });
});
