import { useRef, type PointerEvent } from 'react';

interface Point {
  clientX: number;
  clientY: number;
}

/** CSS pixels. */
const SWIPE_MIN_PX = 48;

/**
 * Handlers for swipes of one finger over what the browser has not enlarged. `onSwipe` gets -1 for one to the left, 1 for
 * one to the right.
 */
export function useSwipe(isOn: boolean, onSwipe: (direction: -1 | 1) => void) {
  const start = useRef<Point | null>(null);
  return {
    onPointerDown({ pointerType, isPrimary, clientX, clientY }: PointerEvent): void {
      const isSwipe = isOn && pointerType === 'touch' && isPrimary && (window.visualViewport?.scale ?? 1) <= 1;
      start.current = isSwipe ? { clientX, clientY } : null;
    },
    onPointerUp(event: PointerEvent): void {
      const direction = start.current && swipeDirection(start.current, event);
      start.current = null;
      if (direction) onSwipe(direction);
    },
  };
}

/** 0 for anything shorter or steeper than a swipe. */
export function swipeDirection(from: Point, to: Point): -1 | 0 | 1 {
  const x = to.clientX - from.clientX;
  const y = to.clientY - from.clientY;
  if (Math.abs(x) < SWIPE_MIN_PX || Math.abs(x) < 2 * Math.abs(y)) return 0;
  return x < 0 ? -1 : 1;
}
