import type { ThreadNode } from '@parley/schema/messages/thread';
import { findScrollPosition, type ScrollPosition } from './scroll-positions.ts';
import type { RowLayout } from './row-layout.ts';
import { rowKey } from './row-key.ts';
import type { ScrollKeeper } from './scroll-keeper.ts';

// The rows of a thread to render: those in or near the viewport.

/** Overscan on either side, in viewport heights, and its minimum in pixels. */
const MARGIN_VIEWS = 1;

const MARGIN_PIXELS = 500;

/** The indexes of the rows in or near the viewport, inclusive. */
export interface Range {
  first: number;
  last: number;
}

/** The state on screen. */
export interface Shown {
  path: readonly ThreadNode[];
  layout: RowLayout;
  range: Range;
}

export interface DrawnRow {
  index: number;
  /** Pixels between it and the rendered row before it. */
  space: number;
}

export function firstRange(conversationId: string, path: readonly ThreadNode[], layout: RowLayout): Range {
  const view = window.innerHeight;
  const position = findScrollPosition(conversationId);
  const index = positionIndex(path, position);
  const top = position && index !== null ? layout.topOf(index) + position.offset : layout.topOf(path.length) - view;
  return rangeAround(layout, top, view);
}

export function positionIndex(path: readonly ThreadNode[], position: ScrollPosition | undefined): number | null {
  const index = position ? path.findIndex(({ messageId }) => messageId === position.messageId) : -1;
  return index < 0 ? null : index;
}

export function findRow(content: HTMLElement | null, index: number | null): Element | null {
  return index === null ? null : (content?.querySelector(`:scope > [data-index="${index}"]`) ?? null);
}

export function rangeAround(layout: RowLayout, top: number, view: number): Range {
  const margin = Math.max(MARGIN_PIXELS, view * MARGIN_VIEWS);
  return { first: layout.rowAt(top - margin), last: layout.rowAt(top + view + margin) };
}

/** The range for the current scroll position; returns the same object if unchanged. */
export function nextRange(
  scroller: HTMLElement | null,
  keeper: ScrollKeeper | null,
  { path, layout, range }: Shown,
): Range {
  if (!scroller || !keeper) return range;
  const { clientHeight, scrollTop } = scroller;
  const top = keeper.isAtEnd() ? layout.topOf(path.length) - clientHeight : scrollTop;
  const next = rangeAround(layout, top, clientHeight);
  return next.first === range.first && next.last === range.last ? range : next;
}

export function listDrawn(
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

export function scrollPositionAt(top: number, { path, layout }: Shown): ScrollPosition | null {
  const index = layout.rowAt(top);
  const node = path[index];
  return node ? { messageId: node.messageId, offset: Math.round(top - layout.topOf(index)) } : null;
}
