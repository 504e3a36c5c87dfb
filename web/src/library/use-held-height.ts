import { useRef, type RefObject } from 'react';
import { useEventListener } from '../ui/hooks/use-event-listener.ts';

/**
 * Keeps an element as high as it was when `hold` was called last, so that what is below the pointer stays there while
 * rows go. A window of another size begins anew.
 */
export function useHeldHeight<E extends HTMLElement>(): { frame: RefObject<E | null>; hold: () => void } {
  const frame = useRef<E>(null);
  useEventListener('resize', () => frame.current?.style.removeProperty('min-block-size'), { target: window });

  function hold(): void {
    const { current } = frame;
    if (current) current.style.setProperty('min-block-size', getComputedStyle(current).height);
  }

  return { frame, hold };
}
