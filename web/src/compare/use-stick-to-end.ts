import { useEffect, type RefObject } from 'react';

/** How near to the end counts as there, in pixels. */
const NEAR_PX = 32;

/**
 * Follows what is written while the end is in view; a scroll upwards lets go at once. Another `reply` begins at the end
 * again.
 */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, reply: string): void {
  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    let isAtEnd = true;
    let top = element.scrollTop;
    const note = () => {
      // What has grown since is no scroll of the reader.
      const isUp = element.scrollTop < top;
      top = element.scrollTop;
      if (element.scrollHeight - top - element.clientHeight < NEAR_PX) isAtEnd = true;
      else if (isUp) isAtEnd = false;
    };
    const follow = new ResizeObserver(() => {
      if (isAtEnd) element.scrollTop = element.scrollHeight;
    });
    element.addEventListener('scroll', note, { passive: true });
    follow.observe(content);
    return () => {
      follow.disconnect();
      element.removeEventListener('scroll', note);
    };
  }, [scroller, reply]);
}
