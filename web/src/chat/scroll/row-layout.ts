// The position of each row of a thread, from measured heights and estimates for the rest. One layout belongs to one
// path; measured heights outlive it.
import type { ThreadNode } from '@parley/schema/messages/thread';

export interface RowLayout {
  /** Pixels from the start of the thread; the top of the row after the last is the end of the thread. */
  topOf(index: number): number;
  heightOf(index: number): number;
  /** The row at a position, else the nearest. */
  rowAt(pixels: number): number;
  /** Stores the measured height of a row. */
  measure(index: number, pixels: number): void;
}

/** Pixels above the first row. */
export const LEAD = 8;

/** Heights by message id. */
export type Heights = Map<string, number>;

export function createRowLayout(
  path: readonly ThreadNode[],
  heights: Heights,
  estimate: (node: ThreadNode) => number,
): RowLayout {
  const sizes = Float64Array.from(path, (node) => heights.get(node.messageId) ?? estimate(node));
  const tops = new Float64Array(path.length + 1);
  tops[0] = LEAD;
  /** Tops up to this row are up to date. */
  let settled = 0;

  function topOf(index: number): number {
    for (; settled < index; settled++) tops[settled + 1] = (tops[settled] ?? 0) + (sizes[settled] ?? 0);
    return tops[index] ?? 0;
  }

  return {
    topOf,
    heightOf: (index) => sizes[index] ?? 0,
    rowAt(pixels) {
      topOf(path.length);
      let low = 0;
      let high = path.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (topOf(middle) <= pixels) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    measure(index, pixels) {
      const node = path[index];
      if (!node) return;
      heights.set(node.messageId, pixels);
      sizes[index] = pixels;
      settled = Math.min(settled, index);
    },
  };
}

/** Line height in pixels, and bytes per line for each pixel of the column's width. */
const LINE_PX = 26;
const BYTES_PER_PIXEL = 0.13;
/** Pixels around the text: a question's bubble, or a reply's header and actions. */
const AROUND_QUESTION_PX = 44;
const AROUND_ANSWER_PX = 90;
/** Lines of a question before it folds. */
const QUESTION_LINES_MAX = 21;
/** Width of a bubble relative to the column. */
const BUBBLE_SHARE = 0.78;

/** Estimates the height of a message in a column of `width` pixels. */
export function estimateHeight({ isCreatedByUser, size }: ThreadNode, width: number): number {
  const perLine = Math.max(10, width * BYTES_PER_PIXEL);
  if (!isCreatedByUser) return AROUND_ANSWER_PX + Math.ceil(size / perLine) * LINE_PX;
  return AROUND_QUESTION_PX + Math.min(QUESTION_LINES_MAX, Math.ceil(size / (perLine * BUBBLE_SHARE))) * LINE_PX;
}
