// Stores the anchor elements and their positions in the viewport, to compensate for layout changes above them. Browsers
// with scroll anchoring do so for the first of them.
import { findAnchor } from './scroll-anchor.ts';

/** Smaller shifts, in pixels, are rounding errors. */
const ROUNDING_PX = 0.75;

/** An element, its top in the viewport, and its top in the content at the same moment. */
interface Hold {
  element: Element;
  inView: number;
  inContent: number;
}

export type ScrollHold = ReturnType<typeof createScrollHold>;

export function createScrollHold(scroller: HTMLElement, content: HTMLElement) {
  const isAnchoring = getComputedStyle(scroller).overflowAnchor === 'auto';
  let held: Hold[] = [];
  return { hold, afterScroll, shift, topOf };

  /** Stores the current anchors. */
  function hold(): void {
    const view = scroller.getBoundingClientRect();
    held = findAnchor(content, view.top).map((element) => {
      const inView = element.getBoundingClientRect().top - view.top;
      return { element, inView, inContent: inView + scroller.scrollTop };
    });
  }

  /** Updates the anchors after a scroll. A simultaneous layout change is kept apart, to be compensated later. */
  function afterScroll(): void {
    const remaining = ownHold();
    const moved = remaining ? topOf(remaining.element) + scroller.scrollTop - remaining.inContent : 0;
    if (!remaining || Math.abs(moved) <= ROUNDING_PX) return hold();
    remaining.inView = topOf(remaining.element) - moved;
    remaining.inContent += moved;
  }

  /** Pixels by which the anchor has moved in the viewport. Browsers do not compensate after a reflow. */
  function shift(isReflown: boolean): number {
    const remaining = isReflown ? firstHeld() : ownHold();
    const moved = remaining ? topOf(remaining.element) - remaining.inView : 0;
    return Math.abs(moved) > ROUNDING_PX ? moved : 0;
  }

  /** Pixels between the top of the viewport and that of an element. */
  function topOf(element: Element): number {
    return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  }

  /** The anchor to keep in place here; undefined if the browser does it. */
  function ownHold(): Hold | undefined {
    const remaining = firstHeld();
    return isAnchoring && remaining === held[0] ? undefined : remaining;
  }

  function firstHeld(): Hold | undefined {
    return held.find(({ element }) => element.isConnected);
  }
}
