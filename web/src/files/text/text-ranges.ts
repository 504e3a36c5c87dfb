// Marks stretches of text on screen without changing it: the browser paints them over whatever draws the text.
import type { QuoteRange } from './locate-quote.ts';

/** What is cited, what a search has found, and which of it is looked at. The stylesheet has their colours. */
export type Mark = 'file-cited' | 'file-found' | 'file-current';

export interface RangeFinder {
  /** The text of the element. */
  text: string;
  /** Null when nothing of the stretch is on screen. */
  rangeOf: (textRange: QuoteRange) => Range | null;
}

export function readRanges(root: Node): RangeFinder {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }

  function rangeOf({ from, to }: QuoteRange): Range | null {
    const first = nodes.findLast(({ start }) => start <= from);
    const last = nodes.findLast(({ start }) => start < to);
    if (!first || !last || to <= from) return null;
    const range = document.createRange();
    range.setStart(first.node, Math.min(from - first.start, first.node.length));
    range.setEnd(last.node, Math.min(to - last.start, last.node.length));
    return range;
  }

  return { text, rangeOf };
}

/** Old browsers show no marks. */
export function paintMarks(marks: Partial<Record<Mark, readonly Range[]>>): void {
  if (!('highlights' in CSS)) return;
  for (const [name, ranges] of Object.entries(marks)) {
    if (ranges.length > 0) CSS.highlights.set(name, new Highlight(...ranges));
    else CSS.highlights.delete(name);
  }
}

export function clearMarks(): void {
  paintMarks({ 'file-cited': [], 'file-found': [], 'file-current': [] });
}

/** Scrolls the range into the middle of the element that scrolls it. */
export function scrollToRange(range: Range, frame: HTMLElement): void {
  const box = range.getBoundingClientRect();
  const seen = frame.getBoundingClientRect();
  frame.scrollBy({ top: box.top + box.height / 2 - seen.top - seen.height / 2 });
}
