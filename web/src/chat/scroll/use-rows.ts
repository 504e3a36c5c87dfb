import type { ThreadNode } from '@parley/schema/messages/thread';
import { useLayoutEffect, useMemo, useRef, useState, type FocusEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { findScrollPosition, saveScrollPosition, type ScrollPosition } from './scroll-positions.ts';
import { createRowLayout, estimateHeight, type Heights, type RowLayout } from './row-layout.ts';
import { createScrollKeeper, type ScrollKeeper } from './scroll-keeper.ts';
import { rowKey } from './row-key.ts';

// The rows of a thread to render: those in or near the viewport.

/** Overscan on either side, in viewport heights, and its minimum in pixels. */
const MARGIN_VIEWS = 1;

const MARGIN_PIXELS = 500;

/** `toRow` puts a row at this fraction of the viewport: a fifth from its top. */
const UPPER_PART = 5;
/** Milliseconds without a scroll or a change of heights before the position is saved. */
const SAVE_AFTER_MS = 250;
/** Maximum width of the column, and the part of the window's width beside it, in pixels. */
const COLUMN_MAX_PX = 728;
const BESIDE_PX = 40;

export interface Rows {
  /** A ref for each row's element. */
  watch: SizeObserver['watch'];
  range: Range;
  /** The rows to render, in order: the range, and the row with the focus, wherever it is. */
  drawn: readonly DrawnRow[];
  /** Pixels of the rows after the last rendered one. */
  rest: number;
  /** Height of a row in pixels, measured or estimated. */
  heightOf(index: number): number;
  isAway: boolean;
  toEnd(behavior: ScrollBehavior): void;
  /** Scrolls a row to the upper part of the viewport. */
  toRow(index: number): void;
  /** For the parent of the rows: the row with the focus stays mounted. */
  onFocus(event: FocusEvent): void;
  onBlur(event: FocusEvent): void;
}

interface Frame {
  scroller: RefObject<HTMLElement | null>;
  /** The parent of the rows. */
  content: RefObject<HTMLElement | null>;
  /** How many threads stand side by side. */
  beside?: number;
}

/** Virtualizes a long thread and keeps its scroll position, by the name `id`. */
export function useRows(id: string, path: readonly ThreadNode[], { scroller, content, beside = 1 }: Frame): Rows {
  const keeper = useRef<ScrollKeeper>(null);
  const saveSoon = useRef<(() => void) | null>(null);
  const [heights] = useState<Heights>(() => new Map());
  const [sizes] = useState(createSizeObserver);
  const layout = useMemo(
    () => createRowLayout(path, heights, (node) => estimateHeight(node, columnWidth() / beside)),
    [path, heights, beside],
  );
  const [range, setRange] = useState(() => firstRange(id, path, layout));
  const [isAway, setAway] = useState(false);
  const { focusedKey, ...focus } = useFocusedRow();
  const seen = useRef<Shown>({ path, layout, range });
  useLayoutEffect(() => void (seen.current = { path, layout, range }));

  useLayoutEffect(() => {
    sizes.listen((entries) => {
      if (scroller.current && content.current) takeSizes(entries, scroller.current, content.current, seen.current);
      keeper.current?.settle();
      setRange(nextRange(scroller.current, keeper.current, seen.current));
      saveSoon.current?.();
    });
    return sizes.end;
  }, [sizes, scroller, content]);

  useLayoutEffect(() => {
    if (!scroller.current || !content.current) return;
    const parts = { scroller: scroller.current, content: content.current, sizes, seen };
    const remaining = holdPosition(id, parts, { onAway: setAway, onRange: setRange });
    keeper.current = remaining.keeper;
    saveSoon.current = remaining.saveSoon;
    return () => {
      remaining.end();
      keeper.current = null;
      saveSoon.current = null;
    };
  }, [id, scroller, content, sizes]);

  // A path that grows, shrinks or switches branches changes what is in the viewport.
  useLayoutEffect(() => setRange(nextRange(scroller.current, keeper.current, seen.current)), [path, scroller]);

  // The row to scroll to once it is rendered.
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
      // Also a row that is rendered: those around it must be, since their heights are estimates until then.
      goal.current = index;
      setRange(rangeAround(layout, layout.topOf(index) - view / UPPER_PART, view));
    },
    ...focus,
  };
}

/** The key of the row with the focus, else null. */
function useFocusedRow() {
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  return {
    focusedKey,
    onFocus: ({ target }: FocusEvent) => setFocusedKey(target.closest<HTMLElement>('[data-row]')?.dataset.key ?? null),
    onBlur({ relatedTarget, currentTarget }: FocusEvent): void {
      const stays = relatedTarget instanceof Node ? currentTarget.contains(relatedTarget) : !document.hasFocus();
      if (!stays) setFocusedKey(null);
    },
  };
}

/** Measures resized rows, and passes the heights of the viewport and the last question to CSS. */
function takeSizes(
  entries: readonly ResizeObserverEntry[],
  scroller: HTMLElement,
  content: HTMLElement,
  { path, layout }: Shown,
): void {
  for (const { target, borderBoxSize } of entries) {
    const height = borderBoxSize[0]?.blockSize ?? 0;
    if (target === scroller) content.style.setProperty('--view', `${height}px`);
    const index = target instanceof HTMLElement ? Number(target.dataset.index ?? -1) : -1;
    if (index < 0 || height === 0) continue;
    layout.measure(index, height);
    if (index === path.length - 2) content.style.setProperty('--question', `${height}px`);
  }
}

interface ScrollParts {
  scroller: HTMLElement;
  content: HTMLElement;
  sizes: SizeObserver;
  seen: RefObject<Shown>;
}

interface ScrollListener {
  onAway(isAway: boolean): void;
  onRange(range: Range): void;
}

/**
 * Restores a conversation's scroll position, else scrolls to the end, and saves the position once nothing scrolls or
 * changes its height.
 */
function holdPosition(conversationId: string, parts: ScrollParts, { onAway, onRange }: ScrollListener) {
  const { scroller, content, sizes, seen } = parts;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const keeper = createScrollKeeper({
    scroller,
    content,
    onAway,
    onScroll() {
      const next = nextRange(scroller, keeper, seen.current);
      if (next !== seen.current.range) flushSync(() => onRange(next));
      saveSoon();
    },
  });
  const ends = [sizes.watch(content), sizes.watch(scroller)];
  measureAll(content, seen.current.layout);
  const position = findScrollPosition(conversationId);
  const row = findRow(content, positionIndex(seen.current.path, position));
  if (position && row) keeper.to(row, -position.offset);
  else keeper.toEnd('instant');

  function saveSoon(): void {
    clearTimeout(resting);
    resting = setTimeout(save, SAVE_AFTER_MS);
  }
  function save(): void {
    saveScrollPosition(conversationId, keeper.isAtEnd() ? null : scrollPositionAt(scroller.scrollTop, seen.current));
  }
  function end(): void {
    clearTimeout(resting);
    save();
    keeper.end();
    for (const endWatch of ends) endWatch?.();
  }
  return { keeper, saveSoon, end };
}

/** Synchronous: a row that unmounts before the observer has reported its size would leave a gap of the wrong height. */
function measureAll(content: HTMLElement, layout: RowLayout): void {
  for (const row of content.querySelectorAll<HTMLElement>(':scope > [data-index]'))
    layout.measure(Number(row.dataset.index), row.getBoundingClientRect().height);
}

/** The approximate width of the column. */
function columnWidth(): number {
  return Math.min(COLUMN_MAX_PX, window.innerWidth - BESIDE_PX);
}

/** The indexes of the rows in or near the viewport, inclusive. */
interface Range {
  first: number;
  last: number;
}

/** The state on screen. */
interface Shown {
  path: readonly ThreadNode[];
  layout: RowLayout;
  range: Range;
}

interface DrawnRow {
  index: number;
  /** Pixels between it and the rendered row before it. */
  space: number;
}

function firstRange(conversationId: string, path: readonly ThreadNode[], layout: RowLayout): Range {
  const view = window.innerHeight;
  const position = findScrollPosition(conversationId);
  const index = positionIndex(path, position);
  const top = position && index !== null ? layout.topOf(index) + position.offset : layout.topOf(path.length) - view;
  return rangeAround(layout, top, view);
}

function positionIndex(path: readonly ThreadNode[], position: ScrollPosition | undefined): number | null {
  const index = position ? path.findIndex(({ messageId }) => messageId === position.messageId) : -1;
  return index < 0 ? null : index;
}

function findRow(content: HTMLElement | null, index: number | null): Element | null {
  return index === null ? null : (content?.querySelector(`:scope > [data-index="${index}"]`) ?? null);
}

function rangeAround(layout: RowLayout, top: number, view: number): Range {
  const margin = Math.max(MARGIN_PIXELS, view * MARGIN_VIEWS);
  return { first: layout.rowAt(top - margin), last: layout.rowAt(top + view + margin) };
}

/** The range for the current scroll position; returns the same object if unchanged. */
function nextRange(scroller: HTMLElement | null, keeper: ScrollKeeper | null, { path, layout, range }: Shown): Range {
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
  return indices.map((index, position) => {
    const before = indices[position - 1];
    return { index, space: layout.topOf(index) - (before === undefined ? 0 : layout.topOf(before + 1)) };
  });
}

function scrollPositionAt(top: number, { path, layout }: Shown): ScrollPosition | null {
  const index = layout.rowAt(top);
  const node = path[index];
  return node ? { messageId: node.messageId, offset: Math.round(top - layout.topOf(index)) } : null;
}

/** Observes the sizes of mounted elements. Notifies only the latest listener. */
interface SizeObserver {
  listen(onResize: (entries: ResizeObserverEntry[]) => void): void;
  /** A ref callback: observes an element while it is mounted. */
  watch(element: Element | null): (() => void) | undefined;
  end(): void;
}

function createSizeObserver(): SizeObserver {
  let tell: (entries: ResizeObserverEntry[]) => void = () => {};
  const observer = new ResizeObserver((entries) => tell(entries));
  return {
    listen(onResize) {
      tell = onResize;
    },
    watch(element) {
      if (!element) return undefined;
      observer.observe(element);
      return () => observer.unobserve(element);
    },
    end: () => observer.disconnect(),
  };
}
