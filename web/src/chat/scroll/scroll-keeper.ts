// Keeps the scroll position: at the end while the text grows, if the user is there, else at the line in view, whatever
// heights change above it. Most browsers do the latter themselves, also during a smooth scroll, as long as their anchor
// element exists; this file does the rest.
import { listenToScrolling } from './scroll-gestures.ts';
import { createScrollHold } from './scroll-hold.ts';

/** Pixels from the end that count as the end: a zoomed page rounds fractions. */
const NEAR_END_PX = 4;
/** Distance from the end, in viewport heights, that shows the button to the end. */
const AWAY_VIEWS = 0.15;
/** Milliseconds until the first check of the distance, and after each scroll. */
const FIRST_CHECK_MS = 650;
const CHECK_AFTER_MS = 100;
/** A smooth scroll over more viewport heights would cross rows that are not rendered yet. */
const SMOOTH_VIEWS = 3;

export interface ScrollKeeper {
  /** Whether the scroll position is pinned to the end. */
  isAtEnd(): boolean;
  /** Scrolls to the end and pins the position there. */
  toEnd(behavior: ScrollBehavior): void;
  /** Scrolls an element's top to `below` pixels under the viewport's top, and keeps it there. */
  to(element: Element, below: number): void;
  /** Call after a layout, before the paint. */
  settle(): void;
  /** Removes all listeners and timers. */
  end(): void;
}

interface Options {
  /** The scroll container, and the parent of the rows in it. */
  scroller: HTMLElement;
  content: HTMLElement;
  /** Called with whether to show the button to the end. */
  onAway(isAway: boolean): void;
  /** Called on every scroll. */
  onScroll(): void;
}

export function createScrollKeeper({ scroller, content, onAway, onScroll }: Options): ScrollKeeper {
  const held = createScrollHold(scroller, content);
  let isAtEnd = true;
  let lastTop = 0;
  let last = sizeOf(scroller);
  let check = setTimeout(report, FIRST_CHECK_MS);
  const stopListening = listenToScrolling(scroller, { onScroll: scrolled, onUpward, onEnd: () => toEnd('smooth') });

  return {
    isAtEnd: () => isAtEnd,
    toEnd,
    to(element, below) {
      isAtEnd = false;
      scrollBy(held.topOf(element) - below);
      held.hold();
      checkSoon();
    },
    settle,
    end() {
      clearTimeout(check);
      stopListening();
    },
  };

  function scrolled(): void {
    const { scrollTop } = scroller;
    // Text that gets shorter moves the position too, and may grow again before this is heard; `settle` follows.
    const isResized = sizeOf(scroller).heights !== last.heights;
    const isNearEnd = distanceOf(scroller) <= NEAR_END_PX;
    if (scrollTop < lastTop && !isNearEnd && !isResized) isAtEnd = false;
    if (scrollTop > lastTop && isNearEnd) isAtEnd = true;
    lastTop = scrollTop;
    if (isResized) last = { ...last, heights: sizeOf(scroller).heights };
    if (!isAtEnd) held.afterScroll();
    checkSoon();
    onScroll();
  }

  function onUpward(): void {
    if (scroller.scrollHeight <= scroller.clientHeight || !isAtEnd) return;
    isAtEnd = false;
    held.hold();
  }

  function toEnd(behavior: ScrollBehavior): void {
    isAtEnd = true;
    jump(distanceOf(scroller) > scroller.clientHeight * SMOOTH_VIEWS ? 'instant' : behavior);
  }

  function settle(): void {
    const isReflown = scroller.clientWidth !== last.width;
    last = sizeOf(scroller);
    if (isAtEnd) return jump('instant');
    const shift = held.shift(isReflown);
    if (shift !== 0) scrollBy(shift);
    held.hold();
    checkSoon();
  }

  function scrollBy(pixels: number): void {
    scroller.scrollTop += pixels;
    lastTop = scroller.scrollTop;
  }

  function jump(behavior: ScrollBehavior): void {
    scroller.scrollTo({ top: scroller.scrollHeight, behavior });
    if (behavior === 'instant') lastTop = scroller.scrollTop;
    checkSoon();
  }

  function checkSoon(): void {
    clearTimeout(check);
    check = setTimeout(report, CHECK_AFTER_MS);
  }

  function report(): void {
    onAway(scroller.scrollHeight > scroller.clientHeight && distanceOf(scroller) >= scroller.clientHeight * AWAY_VIEWS);
  }
}

function sizeOf({ scrollHeight, clientHeight, clientWidth }: HTMLElement) {
  return { width: clientWidth, heights: `${scrollHeight} ${clientHeight}` };
}

/** Pixels that could still be scrolled down. */
function distanceOf({ scrollHeight, clientHeight, scrollTop }: HTMLElement): number {
  return scrollHeight - clientHeight - scrollTop;
}
