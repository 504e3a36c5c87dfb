import { useEffect, useState, type RefObject, type UIEvent } from 'react';

/** Overscan in rows, on either side. */
const OVERSCAN_ROWS = 6;

interface WindowOptions {
  /** The scroll container. */
  list: RefObject<HTMLElement | null>;
  count: number;
  /** Row height in pixels, the same for all rows. */
  rowSize: number;
  /** The active row is always rendered, and the list first scrolls to it. */
  active: number;
}

/** Virtualizes a list with rows of equal height: renders those in or near the viewport, and the active one. */
export function useFixedWindow({ list, count, rowSize, active }: WindowOptions) {
  const [first, setFirst] = useState(() => Math.max(0, active - OVERSCAN_ROWS));
  // No list is higher than the window.
  const inView = Math.ceil(window.innerHeight / rowSize);

  useEffect(() => {
    const element = list.current;
    if (element) element.scrollTop = active * rowSize - (element.clientHeight - rowSize) / 2;
    // Runs once; afterwards the user controls the scroll position.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  /** Scrolls a row into view by the shortest distance. */
  function reveal(index: number): void {
    const element = list.current;
    if (!element) return;
    const start = index * rowSize;
    if (start < element.scrollTop) element.scrollTop = start;
    const end = start + rowSize - element.clientHeight;
    if (end > element.scrollTop) element.scrollTop = end;
  }

  const from = Math.max(0, first - OVERSCAN_ROWS);
  const to = Math.min(count, first + inView + OVERSCAN_ROWS);
  const near = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  return {
    indexes: active < count && (active < from || active >= to) ? [...near, active] : near,
    size: count * rowSize,
    onScroll: ({ currentTarget }: UIEvent) => setFirst(Math.floor(currentTarget.scrollTop / rowSize)),
    reveal,
  };
}
