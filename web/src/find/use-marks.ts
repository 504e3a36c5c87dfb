// Marks what is found by the browser's own highlights: the messages themselves stay as they are, also while one grows.
import { useEffect } from 'react';
import './find.css';
import { BLOCK_END, fold, placesIn } from './folded.ts';
import { OBJECT } from './words-of-markdown.ts';

/** What a message says: the text of an answer, of a question, and of reasoning that is open. */
const SAID = '[data-markdown], [data-said]';

const SKIPPED = '[data-control], iframe, [aria-hidden=true], button';

const BLOCKS = 'p, li, td, th, h1, h2, h3, h4, h5, h6, pre, blockquote, [data-source]';

const ALL = 'find';
const PRESENT = 'find-present';
/** On screen at the same time. */
const RANGES_MAX = 2000;
/** Milliseconds after a change of the thread: rows come and go while it scrolls. */
const REDRAW_AFTER_MS = 120;
/** Frames in which a place has to come on screen. */
const FRAMES_MAX = 240;
/** Frames in which it has to stay there, while what is around it is laid out. */
const STILL_FRAMES = 4;

/** Space above a thread, as high as the search that covers it. */
const COVER = '--cover';

/** A place: the one at `at` in a message. */
export interface Present {
  messageId: string;
  at: number;
}

/** Marks all places of the rows in the page, the present one more strongly. */
export function useMarks(needle: string, present: Present | null): void {
  useEffect(() => {
    if (needle === '' || typeof Highlight === 'undefined') return;
    const all = new Highlight();
    const one = new Highlight();
    one.priority = 1;
    CSS.highlights.set(ALL, all);
    CSS.highlights.set(PRESENT, one);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new MutationObserver(() => {
      timer ??= setTimeout(draw, REDRAW_AFTER_MS);
    });
    for (const thread of document.querySelectorAll('[role=log]'))
      observer.observe(thread.parentElement ?? thread, {
        childList: true,
        subtree: true,
        characterData: true,
        attributeFilter: ['open'],
      });
    draw();
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      CSS.highlights.delete(ALL);
      CSS.highlights.delete(PRESENT);
    };

    function draw(): void {
      timer = undefined;
      all.clear();
      one.clear();
      for (const row of document.querySelectorAll('[data-row=here]')) {
        const ranges = all.size < RANGES_MAX ? rangesIn(row, needle) : [];
        for (const range of ranges) all.add(range);
        const shown =
          present && isRowOf(row, present.messageId) ? ranges[Math.min(present.at, ranges.length - 1)] : undefined;
        if (shown && one.size === 0) one.add(shown);
      }
    }
  }, [needle, present]);
}

/** Brings a place on screen once its row is drawn. */
export function useReveal(needle: string, present: Present | null): void {
  useEffect(() => {
    if (needle === '' || !present) return;
    let left = FRAMES_MAX;
    let still = 0;
    let frame = requestAnimationFrame(look);
    return () => {
      cancelAnimationFrame(frame);
      for (const thread of document.querySelectorAll<HTMLElement>('[role=log]')) thread.style.removeProperty(COVER);
    };

    function look(): void {
      const row = [...document.querySelectorAll('[data-row=here]')].find((one) => isRowOf(one, present?.messageId));
      const range = row && rangeOf(row, needle, present?.at ?? 0);
      still = row && range && isInView(row, range) ? still + 1 : 0;
      if (row && range && still === 0) bringIntoView(row, range);
      left -= 1;
      if (still < STILL_FRAMES && left > 0) frame = requestAnimationFrame(look);
    }
  }, [needle, present]);
}

function isRowOf(row: Element, messageId: string | undefined): boolean {
  return row instanceof HTMLElement && row.dataset.message === messageId;
}

function rangeOf(row: Element, needle: string, at: number): Range | undefined {
  // A long question shows its beginning only.
  const folded = row.querySelector('[data-folded]');
  if (folded) folded.parentElement?.querySelector<HTMLElement>('button[aria-expanded=false]')?.click();
  const ranges = rangesIn(row, needle);
  return ranges[Math.min(at, ranges.length - 1)];
}

function isInView(row: Element, range: Range): boolean {
  const thread = row.closest('[role=log]');
  const { top, bottom, height } = range.getBoundingClientRect();
  if (!thread || height === 0 || sidewaysScroller(row, range)) return false;
  return top >= edgeOf(thread) && bottom <= thread.getBoundingClientRect().bottom;
}

function bringIntoView(row: Element, range: Range): void {
  const thread = row.closest<HTMLElement>('[role=log]');
  if (!thread) return;
  const view = thread.getBoundingClientRect();
  const place = range.getBoundingClientRect();
  if (place.top < edgeOf(thread) || place.bottom > view.bottom) {
    const by = place.top - view.top - view.height / 3;
    // The search would cover the first words of a chat, which nothing can scroll further down.
    if (thread.scrollTop + by < 0) thread.style.setProperty(COVER, `${edgeOf(thread) - view.top}px`);
    thread.scrollTop += by;
  }
  const sideways = sidewaysScroller(row, range);
  if (!sideways) return;
  const box = sideways.getBoundingClientRect();
  sideways.scrollLeft += place.left - box.left - box.width / 3;
}

/** The top of what can be seen of the thread: the search covers some of it. */
function edgeOf(thread: Element): number {
  const bar = document.querySelector('[data-find]')?.getBoundingClientRect();
  return Math.max(thread.getBoundingClientRect().top, bar?.bottom ?? 0);
}

/** Code and tables scroll sideways: the one that hides the place, if any does. */
function sidewaysScroller(row: Element, range: Range): Element | undefined {
  const place = range.getBoundingClientRect();
  const start = range.startContainer.parentElement?.closest('pre, [role=group]');
  if (!start || !row.contains(start) || start.scrollWidth <= start.clientWidth) return undefined;
  const box = start.getBoundingClientRect();
  return place.left < box.left || (place.right > box.right && place.width <= box.width) ? start : undefined;
}

// The places of what is searched for in the messages on screen.

/** In the order of the text. */
function rangesIn(row: Element, needle: string): Range[] {
  return [...row.querySelectorAll(SAID)].filter(isOpen).flatMap((said) => rangesOf(said, needle));
}

function isOpen(said: Element): boolean {
  return said.closest('details:not([open])') === null;
}

interface Piece {
  node: Text;
  /** Where it begins in the text. */
  from: number;
}

function rangesOf(said: Element, needle: string): Range[] {
  const pieces: Piece[] = [];
  let text = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(said, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
    if (node.matches('.katex, img')) text += OBJECT;
    if (node.matches('br')) text += ' ';
    return node.matches('.katex') || (node.matches(SKIPPED) && !node.matches('[data-content]'))
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_SKIP;
  });
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    const around = node.parentElement?.closest(BLOCKS) ?? said;
    if (block !== null && around !== block) text += BLOCK_END;
    block = around;
    pieces.push({ node, from: text.length });
    text += node.data;
  }
  return placesIn(fold(text), needle).flatMap(({ from, to }) => {
    const [start, end] = [pieceAt(pieces, from), pieceAt(pieces, to - 1)];
    if (!start || !end) return [];
    const range = new Range();
    range.setStart(start.node, from - start.from);
    range.setEnd(end.node, Math.min(to - end.from, end.node.length));
    return [range];
  });
}

/** The last piece that begins at or before a place. */
function pieceAt(pieces: readonly Piece[], place: number): Piece | undefined {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.from ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  const piece = pieces[low];
  return piece && place >= piece.from && place - piece.from < piece.node.length ? piece : undefined;
}
