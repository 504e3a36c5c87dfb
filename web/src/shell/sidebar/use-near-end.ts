import { useCallback, useEffect, useRef } from 'react';

/** How far a list has been scrolled when the next page is asked for. */
const NEAR_END = 0.97;
/** Milliseconds between two looks at how far. */
const LOOK_EVERY = 750;

/**
 * For a scrolling element: calls `onNearEnd` when it has been scrolled to its last 3 percent, or is too short to scroll
 * after `loaded` has changed; null while it is being loaded.
 */
export function useNearEnd(loaded: number | null, onNearEnd: () => void) {
  const ref = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(onNearEnd);
  useEffect(() => {
    latest.current = onNearEnd;
  });

  const look = useCallback(() => {
    if (ref.current && isNearEnd(ref.current)) latest.current();
  }, []);

  useEffect(look, [look, loaded]);
  useEffect(() => () => clearTimeout(timer.current), []);

  /** Looks at once and, however long the scrolling goes on, once more when it may have stopped. */
  function onScroll(): void {
    if (timer.current !== undefined) return;
    look();
    timer.current = setTimeout(() => {
      timer.current = undefined;
      look();
    }, LOOK_EVERY);
  }

  return { ref, onScroll };
}

function isNearEnd({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean {
  return (scrollTop + clientHeight) / scrollHeight >= NEAR_END;
}
