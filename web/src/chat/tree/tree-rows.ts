// The whole tree of a conversation as a list one can go through: an answer follows its question at the same level, and
// where there are several, each begins a branch one level deeper. Iterative, because a thread may be tens of thousands
// of messages deep.
import type { Tree } from '@parley/schema/tree';

export interface TreeNode {
  messageId: string;
  parentMessageId: string | null;
  seq: number;
  isCreatedByUser: boolean;
}

export interface TreeRow {
  messageId: string;
  isCreatedByUser: boolean;
  /** How many forks lie above it. */
  level: number;
  /** Its place among its siblings, from 0, and how many there are. */
  place: number;
  total: number;
}

/** A message before what follows it, siblings in order of creation. */
export function listTree<N extends TreeNode>(tree: Tree<N>): TreeRow[] {
  const rows: TreeRow[] = [];
  const waiting = rowsOf(tree, null, 0).reverse();
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row);
    waiting.push(...rowsOf(tree, row.messageId, row.level).reverse());
  }
  return rows;
}

/** The index of the next (`step` 1) or last (-1) row that begins a branch, seen from `from`; `from` where there is none. */
export function nextBranch(rows: readonly TreeRow[], from: number, step: 1 | -1): number {
  for (let index = from + step; index >= 0 && index < rows.length; index += step) {
    if ((rows[index]?.total ?? 1) > 1) return index;
  }
  return from;
}

function rowsOf<N extends TreeNode>(tree: Tree<N>, parentId: string | null, level: number): TreeRow[] {
  const children = tree.children.get(parentId) ?? [];
  const total = children.length;
  return children.map(({ messageId, isCreatedByUser }, place) => ({
    messageId,
    isCreatedByUser,
    level: total > 1 ? level + 1 : level,
    place,
    total,
  }));
}
