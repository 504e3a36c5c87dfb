import { useEffect, type RefObject } from 'react';

/** Wider screens have room around the editor, and no keyboard of their own. */
const SMALL = '(max-width: 768px)';

/**
 * Brings an editor that takes the focus on a small screen into view: once when it opens, and once when the keyboard of
 * the phone has taken its part of the window.
 */
export function useStayInView(element: RefObject<HTMLElement | null>, takesFocus: boolean): void {
  useEffect(() => {
    if (!takesFocus || !window.matchMedia(SMALL).matches) return;
    const ended = new AbortController();
    const show = () => {
      // The thread follows a change of size in the frame after it.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (!ended.signal.aborted) element.current?.scrollIntoView({ block: 'nearest' });
        }),
      );
    };
    show();
    window.addEventListener('resize', show, { once: true, signal: ended.signal });
    return () => ended.abort();
  }, [element, takesFocus]);
}
