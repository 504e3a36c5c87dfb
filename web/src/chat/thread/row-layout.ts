// Where each row of a thread stands, from the heights of those that were drawn and guesses for all others. One layout
// belongs to one path; what was measured outlives it.
import type { ThreadNode } from '@parley/schema/thread';

export interface RowLayout {
  /** Pixels from the beginning of the thread; that of the row after the last is where the thread ends. */
  topOf(index: number): number;
  heightOf(index: number): number;
  /** The row that holds a point; of one outside, the nearest. */
  rowAt(pixels: number): number;
  /** Takes the true height of a row. */
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
  /** Tops up to this row are right. */
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

/** Pixels of a line of text, and how many bytes of it fill a line of the column per pixel of width. */
const LINE = 26;
const BYTES_PER_PIXEL = 0.13;
/** What a row takes beside its text: for a question its bubble, for an answer its head and its buttons. */
const AROUND_QUESTION = 44;
const AROUND_ANSWER = 90;
/** Lines of a question that are shown before it is folded. */
const QUESTION_LINES = 21;
/** Of a bubble's width to the column's. */
const BUBBLE = 0.78;

/** About how high a message will be in a column of `width` pixels. */
export function estimateHeight({ isCreatedByUser, size }: ThreadNode, width: number): number {
  const perLine = Math.max(10, width * BYTES_PER_PIXEL);
  if (!isCreatedByUser) return AROUND_ANSWER + Math.ceil(size / perLine) * LINE;
  return AROUND_QUESTION + Math.min(QUESTION_LINES, Math.ceil(size / (perLine * BUBBLE))) * LINE;
}
