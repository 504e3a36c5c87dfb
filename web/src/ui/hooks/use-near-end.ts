import { useCallback, useEffect, useRef } from 'react';

/** The scrolled share at which the next page is requested. */
const NEAR_END_SHARE = 0.97;
/** Milliseconds between two checks. */
const LOOK_EVERY_MS = 750;

/**
 * For a scrolling element: calls `onNearEnd` when scrolled to its last 3 percent, or when it is too short to scroll
 * after `loaded` has changed; `loaded` is null while a page loads.
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

  /** Throttles: checks at once and, however long the scrolling goes on, once more at its end. */
  function onScroll(): void {
    if (timer.current !== undefined) return;
    look();
    timer.current = setTimeout(() => {
      timer.current = undefined;
      look();
    }, LOOK_EVERY_MS);
  }

  return { ref, onScroll };
}

function isNearEnd({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean {
  return (scrollTop + clientHeight) / scrollHeight >= NEAR_END_SHARE;
}
