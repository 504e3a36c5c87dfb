import type { TreeNode, TreeRow } from './tree-rows.ts';

/** A shorter chat needs no outline. */
const QUESTIONS_MIN = 4;

/** A question with its index on the path. */
export interface OutlineRow extends TreeRow {
  at: number;
}

/** Whether a path has enough questions for an outline. */
export function hasOutline(path: readonly TreeNode[]): boolean {
  let count = 0;
  return path.some(({ isCreatedByUser }) => isCreatedByUser && ++count >= QUESTIONS_MIN);
}

/** The questions of a path. */
export function pathOutline(path: readonly TreeNode[]): OutlineRow[] {
  return path.flatMap(({ messageId, isCreatedByUser }, at) =>
    isCreatedByUser ? [{ messageId, isCreatedByUser, level: 0, siblingIndex: 0, siblingCount: 1, at }] : [],
  );
}

/** The index of the question that the message at `at` on the path belongs to. */
export function questionAt(rows: readonly OutlineRow[], at: number): number {
  return Math.max(
    0,
    rows.findLastIndex((row) => row.at <= at),
  );
}
