import { useEffect, type RefObject } from 'react';

/** How near to the end counts as there, in pixels. */
const NEAR_PX = 32;

/** Follows what is written while the end is in view; a scroll upwards lets go at once. */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    let isAtEnd = true;
    const note = () => {
      isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
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
  }, [scroller]);
}
