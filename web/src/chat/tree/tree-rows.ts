// The tree of a conversation as a flat list: a reply follows its question at the same level; where there are several,
// each starts a branch one level deeper. Iterative, because a thread may be tens of thousands of messages deep.
import type { Tree } from '@parley/schema/messages/tree';

export interface TreeNode {
  messageId: string;
  parentMessageId: string | null;
  seq: number;
  isCreatedByUser: boolean;
}

export interface TreeRow {
  messageId: string;
  isCreatedByUser: boolean;
  /** The number of forks above it. */
  level: number;
  /** Its index among its siblings, and their number. */
  siblingIndex: number;
  siblingCount: number;
}

/** Depth-first: a message before its descendants, siblings in the order of creation. */
export function listTree<N extends TreeNode>(tree: Tree<N>): TreeRow[] {
  const rows: TreeRow[] = [];
  const waiting = rowsOf(tree, null, 0).reverse();
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row);
    waiting.push(...rowsOf(tree, row.messageId, row.level).reverse());
  }
  return rows;
}

/** The index of the next (`step` 1) or previous (-1) row that starts a branch, from `from`; `from` if there is none. */
export function nextBranch(rows: readonly TreeRow[], from: number, step: 1 | -1): number {
  for (let index = from + step; index >= 0 && index < rows.length; index += step) {
    if ((rows[index]?.siblingCount ?? 1) > 1) return index;
  }
  return from;
}

function rowsOf<N extends TreeNode>(tree: Tree<N>, parentId: string | null, level: number): TreeRow[] {
  const children = tree.children.get(parentId) ?? [];
  const siblingCount = children.length;
  return children.map(({ messageId, isCreatedByUser }, siblingIndex) => ({
    messageId,
    isCreatedByUser,
    level: siblingCount > 1 ? level + 1 : level,
    siblingIndex,
    siblingCount,
  }));
}
