import type { Message } from '@parley/schema/messages';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Messages drawn at once: a thread may be thousands long, and its reader starts at the end. */
const PAGE = 60;

/** The end of a path, and a way to more of it that keeps what the reader looks at in its place. */
export function useEarlier(path: readonly Message[], scroller: RefObject<HTMLElement | null>) {
  const [first, setFirst] = useState(() => Math.max(0, path.length - PAGE));
  const fromEnd = useRef<number | null>(null);
  const from = Math.max(0, Math.min(first, path.length - PAGE));

  useLayoutEffect(() => {
    if (scroller.current && fromEnd.current !== null) scrollFromEnd(scroller.current, fromEnd.current);
    fromEnd.current = null;
  }, [scroller, first]);

  function showEarlier(): void {
    if (scroller.current) fromEnd.current = scroller.current.scrollHeight - scroller.current.scrollTop;
    setFirst(Math.max(0, from - PAGE));
  }

  return { shown: from === 0 ? path : path.slice(from), hasEarlier: from > 0, showEarlier };
}

function scrollFromEnd(scroller: HTMLElement, distance: number): void {
  scroller.scrollTop = scroller.scrollHeight - distance;
}
