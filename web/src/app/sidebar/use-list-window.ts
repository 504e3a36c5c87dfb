import { defaultRangeExtractor, useVirtualizer, type Range, type VirtualItem } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState, type FocusEvent, type RefObject } from 'react';
import type { ListItem } from './items/list-items.ts';

/** Overscan in rows, on either side: enough for the Tab key and one turn of the wheel. */
const OVERSCAN_ROWS = 6;
const HEADING_HEIGHT = 36;
const ROW_HEIGHT = 36;
const TOUCH_ROW_HEIGHT = 44;

export interface DrawnItem {
  item: ListItem;
  /** Pixels between this item and the rendered item before it. */
  gap: number;
  /** Its index in the whole list. */
  index: number;
  start: number;
  end: number;
}

/** Virtualizes the list: renders the items in or near the viewport, and the item with the focus. */
export function useListWindow(items: ListItem[], scroller: RefObject<HTMLElement | null>, above: number) {
  const [focused, setFocused] = useState<string | null>(null);
  const focusedIndex = focused === null ? -1 : items.findIndex((item) => item.key === focused);
  const isTouch = window.matchMedia('(hover: none)').matches;
  // The result is read during this render only.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) =>
      items[index]?.kind === 'heading' ? HEADING_HEIGHT : isTouch ? TOUCH_ROW_HEIGHT : ROW_HEIGHT,
    getItemKey: useCallback((index: number) => items[index]?.key ?? index, [items]),
    rangeExtractor: useCallback(
      (range: Range) => withFocused(defaultRangeExtractor(range), focusedIndex),
      [focusedIndex],
    ),
    overscan: OVERSCAN_ROWS,
    scrollMargin: above,
    // flushSync inside a render would log a React warning.
    useFlushSync: false,
  });
  const drawn = drawnOf(virtualizer.getVirtualItems(), items, above);
  const startOf = (key: string) => virtualizer.measurementsCache.find((one) => one.key === key)?.start ?? null;
  useAnchor(items, drawn, scroller, startOf);

  return {
    drawn,
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    scrollTo: (index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }),
    /** Props for the container of the items. */
    keepFocused: {
      onFocus: ({ target }: FocusEvent) => setFocused(target.closest('[data-key]')?.getAttribute('data-key') ?? null),
      onBlur: ({ relatedTarget, currentTarget }: FocusEvent) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) setFocused(null);
      },
    },
  };
}

function withFocused(indexes: number[], focused: number): number[] {
  return focused < 0 || indexes.includes(focused) ? indexes : [...indexes, focused].toSorted((a, b) => a - b);
}

function drawnOf(virtualItems: VirtualItem[], items: ListItem[], above: number): DrawnItem[] {
  let end = above;
  return virtualItems.flatMap((virtual) => {
    const item = items[virtual.index];
    const gap = virtual.start - end;
    end = virtual.end;
    return item ? [{ item, gap, index: virtual.index, start: virtual.start, end: virtual.end }] : [];
  });
}

/**
 * Keeps the item at the top of the viewport in place when rows come or go above it; at scroll position 0, new rows
 * show.
 */
function useAnchor(
  items: ListItem[],
  drawn: DrawnItem[],
  scroller: RefObject<HTMLElement | null>,
  startOf: (key: string) => number | null,
): void {
  const anchor = useRef<{ key: string; start: number } | null>(null);
  const known = useRef(items);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    if (known.current !== items && anchor.current && element.scrollTop > 0) {
      const start = startOf(anchor.current.key);
      if (start !== null) element.scrollBy({ top: start - anchor.current.start, behavior: 'instant' });
    }
    known.current = items;
    const first = drawn.find(({ item, end }) => item.kind === 'row' && end > element.scrollTop);
    anchor.current = first ? { key: first.item.key, start: first.start } : null;
  });
}
