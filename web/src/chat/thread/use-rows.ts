import type { ThreadNode } from '@parley/schema/thread';
import { useLayoutEffect, useMemo, useRef, useState, type FocusEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { findPlace, rememberPlace, type Place } from './places.ts';
import { createRowLayout, estimateHeight, type Heights, type RowLayout } from './row-layout.ts';
import { rowKey } from './row-key.ts';
import { createScrollKeeper, type ScrollKeeper } from './scroll-keeper.ts';
import { createSizeWatch, type SizeWatch } from './size-watch.ts';

/** Rows are drawn this far beyond the view on either side, in views; at least so many pixels. */
const MARGIN_VIEWS = 1;
const MARGIN_PIXELS = 500;
/** A row that is shown begins at this part of the view. */
const UPPER_PART = 5;
/** Milliseconds of rest after which it is written down where the reader is. */
const REST = 250;
/** What the column is at most, and the page's share of the window's width that is not the column's. */
const WIDEST = 728;
const BESIDE = 40;

/** The rows in or near the view, by their index; the last one included. */
interface Range {
  first: number;
  last: number;
}

export interface DrawnRow {
  index: number;
  /** Pixels between it and the drawn row before it. */
  space: number;
}

export interface Rows {
  /** A ref for each row's element. */
  watch: SizeWatch['watch'];
  range: Range;
  /** The rows to draw, in their order: the range, and the row with the focus wherever it is. */
  drawn: readonly DrawnRow[];
  /** Pixels that the rows after the last drawn one take. */
  rest: number;
  /** Pixels that a row takes, measured or guessed. */
  heightOf(index: number): number;
  isAway: boolean;
  toEnd(behavior: ScrollBehavior): void;
  /** Brings a row into the upper part of the view. */
  toRow(index: number): void;
  /** For the parent of the rows: a row with the focus is not taken away. */
  onFocus(event: FocusEvent): void;
  onBlur(event: FocusEvent): void;
}

/** What is on screen. */
interface Seen {
  path: readonly ThreadNode[];
  layout: RowLayout;
  range: Range;
}

interface Frame {
  scroller: RefObject<HTMLElement | null>;
  /** The parent of the rows. */
  content: RefObject<HTMLElement | null>;
}

/** Which rows of a long thread are drawn, and how the reader keeps their place while that changes. */
export function useRows(conversationId: string, path: readonly ThreadNode[], { scroller, content }: Frame): Rows {
  const keeper = useRef<ScrollKeeper>(null);
  const [heights] = useState<Heights>(() => new Map());
  const [sizes] = useState(createSizeWatch);
  const layout = useMemo(
    () => createRowLayout(path, heights, (node) => estimateHeight(node, widthOf())),
    [path, heights],
  );
  const [range, setRange] = useState(() => firstRange(conversationId, path, layout));
  const [isAway, setAway] = useState(false);
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  const seen = useRef<Seen>({ path, layout, range });
  useLayoutEffect(() => void (seen.current = { path, layout, range }));

  useLayoutEffect(() => {
    sizes.listen((entries) => {
      const { path: shown, layout: laid } = seen.current;
      for (const { target, borderBoxSize } of entries) {
        const height = borderBoxSize[0]?.blockSize ?? 0;
        if (target === scroller.current) content.current?.style.setProperty('--view', `${height}px`);
        const index = target instanceof HTMLElement ? Number(target.dataset.index ?? -1) : -1;
        if (index < 0 || height === 0) continue;
        laid.measure(index, height);
        if (index === shown.length - 2) content.current?.style.setProperty('--question', `${height}px`);
      }
      keeper.current?.settle();
      setRange(nextRange(scroller.current, keeper.current, seen.current));
    });
    return sizes.end;
  }, [sizes, scroller, content]);

  useLayoutEffect(() => {
    if (!scroller.current || !content.current) return;
    const element = scroller.current;
    let resting: ReturnType<typeof setTimeout> | undefined;
    const watching = createScrollKeeper({
      scroller: element,
      content: content.current,
      onAway: setAway,
      onScroll() {
        const next = nextRange(element, watching, seen.current);
        if (next !== seen.current.range) flushSync(() => setRange(next));
        clearTimeout(resting);
        resting = setTimeout(remember, REST);
      },
    });
    keeper.current = watching;
    const ends = [sizes.watch(content.current), sizes.watch(element)];
    measureAll(content.current, seen.current.layout);
    const place = findPlace(conversationId);
    const row = findRow(content.current, indexOf(seen.current.path, place));
    if (place && row) watching.to(row, -place.offset);
    else watching.toEnd('instant');
    function remember(): void {
      rememberPlace(conversationId, watching.isAtEnd() ? null : placeAt(element.scrollTop, seen.current));
    }
    return () => {
      clearTimeout(resting);
      remember();
      watching.end();
      for (const end of ends) end?.();
      keeper.current = null;
    };
  }, [conversationId, scroller, content, sizes]);

  // A path that has become longer or shorter, or another branch: what is in view has changed.
  useLayoutEffect(() => setRange(nextRange(scroller.current, keeper.current, seen.current)), [path, scroller]);

  // A row that was not drawn when it was to be shown.
  const goal = useRef<number | null>(null);
  useLayoutEffect(() => {
    const row = findRow(content.current, goal.current);
    if (row && scroller.current) keeper.current?.to(row, scroller.current.clientHeight / UPPER_PART);
    if (row) goal.current = null;
  }, [range, content, scroller]);

  const drawn = useMemo(() => listDrawn(path, layout, range, focusedKey), [path, layout, range, focusedKey]);
  return {
    watch: sizes.watch,
    range,
    drawn,
    rest: layout.topOf(path.length) - layout.topOf((drawn.at(-1)?.index ?? -1) + 1),
    heightOf: layout.heightOf,
    isAway,
    toEnd(behavior) {
      const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      keeper.current?.toEnd(isCalm ? 'instant' : behavior);
      setRange(nextRange(scroller.current, keeper.current, seen.current));
    },
    toRow(index) {
      const view = scroller.current?.clientHeight ?? 0;
      const row = findRow(content.current, index);
      if (row) return keeper.current?.to(row, view / UPPER_PART);
      goal.current = index;
      setRange(rangeAround(layout, layout.topOf(index) - view / UPPER_PART, view));
    },
    onFocus: ({ target }) => setFocusedKey(target.closest<HTMLElement>('[data-row]')?.dataset.key ?? null),
    onBlur({ relatedTarget, currentTarget }) {
      const stays = relatedTarget instanceof Node ? currentTarget.contains(relatedTarget) : !document.hasFocus();
      if (!stays) setFocusedKey(null);
    },
  };
}

function firstRange(conversationId: string, path: readonly ThreadNode[], layout: RowLayout): Range {
  const view = window.innerHeight;
  const place = findPlace(conversationId);
  const index = indexOf(path, place);
  const top = place && index !== null ? layout.topOf(index) + place.offset : layout.topOf(path.length) - view;
  return rangeAround(layout, top, view);
}

function indexOf(path: readonly ThreadNode[], place: Place | undefined): number | null {
  const index = place ? path.findIndex(({ messageId }) => messageId === place.messageId) : -1;
  return index < 0 ? null : index;
}

/** At once: a row that goes before its size was heard of would leave a gap of another size. */
function measureAll(content: HTMLElement, layout: RowLayout): void {
  for (const row of content.querySelectorAll<HTMLElement>(':scope > [data-index]'))
    layout.measure(Number(row.dataset.index), row.getBoundingClientRect().height);
}

function findRow(content: HTMLElement | null, index: number | null): Element | null {
  return index === null ? null : (content?.querySelector(`:scope > [data-index="${index}"]`) ?? null);
}

function rangeAround(layout: RowLayout, top: number, view: number): Range {
  const margin = Math.max(MARGIN_PIXELS, view * MARGIN_VIEWS);
  return { first: layout.rowAt(top - margin), last: layout.rowAt(top + view + margin) };
}

/** The range where the reader is now; the one on screen if it is the same. */
function nextRange(scroller: HTMLElement | null, keeper: ScrollKeeper | null, { path, layout, range }: Seen): Range {
  if (!scroller || !keeper) return range;
  const { clientHeight, scrollTop } = scroller;
  const top = keeper.isAtEnd() ? layout.topOf(path.length) - clientHeight : scrollTop;
  const next = rangeAround(layout, top, clientHeight);
  return next.first === range.first && next.last === range.last ? range : next;
}

function listDrawn(
  path: readonly ThreadNode[],
  layout: RowLayout,
  { first, last }: Range,
  focusedKey: string | null,
): DrawnRow[] {
  const end = Math.min(last, path.length - 1);
  const indices = Array.from({ length: Math.max(0, end - first + 1) }, (_, offset) => first + offset);
  const focused = focusedKey === null ? -1 : path.findIndex((node) => rowKey(node) === focusedKey);
  if (focused >= 0 && focused < first) indices.unshift(focused);
  if (focused > end) indices.push(focused);
  return indices.map((index, place) => {
    const before = indices[place - 1];
    return { index, space: layout.topOf(index) - (before === undefined ? 0 : layout.topOf(before + 1)) };
  });
}

function placeAt(top: number, { path, layout }: Seen): Place | null {
  const index = layout.rowAt(top);
  const node = path[index];
  return node ? { messageId: node.messageId, offset: Math.round(top - layout.topOf(index)) } : null;
}

/** About as wide as the column is. */
function widthOf(): number {
  return Math.min(WIDEST, window.innerWidth - BESIDE);
}
