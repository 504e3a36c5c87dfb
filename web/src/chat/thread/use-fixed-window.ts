import { useEffect, useState, type RefObject, type UIEvent } from 'react';

/** Rows drawn beyond each end of the view. */
const BEYOND = 6;

interface WindowOptions {
  /** What scrolls. */
  list: RefObject<HTMLElement | null>;
  count: number;
  /** Pixels of a row; all are equally high. */
  rowSize: number;
  /** The row that is drawn wherever the view is, and that the view starts at. */
  active: number;
}

/** Which rows of a long list are drawn: those in or near the view, and the active one. */
export function useFixedWindow({ list, count, rowSize, active }: WindowOptions) {
  const [first, setFirst] = useState(() => Math.max(0, active - BEYOND));
  // No list is higher than the window.
  const inView = Math.ceil(window.innerHeight / rowSize);

  useEffect(() => {
    const element = list.current;
    if (element) element.scrollTop = active * rowSize - (element.clientHeight - rowSize) / 2;
    // Only once: afterwards the reader is the one who scrolls.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  /** Brings a row into view, no further than it takes. */
  function reveal(index: number): void {
    const element = list.current;
    if (!element) return;
    const start = index * rowSize;
    if (start < element.scrollTop) element.scrollTop = start;
    const end = start + rowSize - element.clientHeight;
    if (end > element.scrollTop) element.scrollTop = end;
  }

  const from = Math.max(0, first - BEYOND);
  const to = Math.min(count, first + inView + BEYOND);
  const near = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  return {
    indexes: active < count && (active < from || active >= to) ? [...near, active] : near,
    size: count * rowSize,
    onScroll: ({ currentTarget }: UIEvent) => setFirst(Math.floor(currentTarget.scrollTop / rowSize)),
    reveal,
  };
}
