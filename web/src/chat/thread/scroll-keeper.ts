// Keeps the reader where they are: at the end while the text grows if that is where they are, else at the line they look
// at, whatever happens to the heights of what stands above it. Most browsers do the latter themselves, also in the middle
// of a smooth scroll, as long as what they hold on to is there; the rest is done here.
import { findAnchor } from './scroll-anchor.ts';

/** Within this many pixels of the end a reader is at the end: fractions get lost in zoomed pages. */
const NEAR = 4;
/** How far from the end, in views, the way back is offered. */
const AWAY = 0.15;
/** Milliseconds before the distance is first looked at, and after each scroll. */
const FIRST_CHECK = 650;
const CHECK = 100;
/** A glide over more views than this would pass rows that are not there yet. */
const GLIDE_VIEWS = 3;
/** Less than this many pixels is no move that could be put right. */
const HAIR = 0.75;

const UPWARD_KEYS = new Set(['ArrowUp', 'PageUp', 'Home']);

export interface ScrollKeeper {
  /** Whether the reader is at the end, and so stays there. */
  isAtEnd(): boolean;
  /** Goes to the end and stays there. */
  toEnd(behavior: ScrollBehavior): void;
  /** Goes to where the top of an element is so many pixels below the view's, and stays there. */
  to(element: Element, below: number): void;
  /** To be called when something has been laid out anew, before it is painted. */
  settle(): void;
  /** Stops watching. */
  end(): void;
}

interface Options {
  /** The scrolling element, and the parent of the rows in it. */
  scroller: HTMLElement;
  content: HTMLElement;
  /** Is told whether the way to the end should be offered. */
  onAway(isAway: boolean): void;
  /** Is told of every scroll. */
  onScroll(): void;
}

/** An element, where in the view it is to be, and where in the content it was when that was written down. */
interface Hold {
  element: Element;
  inView: number;
  inContent: number;
}

export function createScrollKeeper({ scroller, content, onAway, onScroll }: Options): ScrollKeeper {
  let isAtEnd = true;
  let lastTop = 0;
  let lastTouch = 0;
  const isAnchoring = getComputedStyle(scroller).overflowAnchor === 'auto';
  let held: Hold[] = [];
  let lastWidth = scroller.clientWidth;
  let check = setTimeout(report, FIRST_CHECK);

  const listeners = {
    scroll() {
      const { scrollTop } = scroller;
      if (scrollTop < lastTop && distance() > NEAR) isAtEnd = false;
      if (scrollTop > lastTop && distance() <= NEAR) isAtEnd = true;
      lastTop = scrollTop;
      if (!isAtEnd) follow();
      checkSoon();
      onScroll();
    },
    wheel({ deltaY }: WheelEvent) {
      if (deltaY < 0) release();
    },
    touchstart({ touches }: TouchEvent) {
      lastTouch = touches[0]?.clientY ?? 0;
    },
    touchmove({ touches }: TouchEvent) {
      const touch = touches[0]?.clientY ?? lastTouch;
      if (touch > lastTouch) release();
      lastTouch = touch;
    },
    keydown(event: KeyboardEvent) {
      const { key, shiftKey, target } = event;
      if (UPWARD_KEYS.has(key) || (key === ' ' && shiftKey)) release();
      // The browser would go to where the end is now, and rows on the way are yet to find their heights.
      if (key !== 'End' || !isPlain(event) || isEditable(target)) return;
      event.preventDefault();
      toEnd('smooth');
    },
  };
  for (const [type, listener] of Object.entries(listeners))
    scroller.addEventListener(type, listener as EventListener, { passive: type !== 'keydown' });

  return {
    isAtEnd: () => isAtEnd,
    toEnd,
    to(element, below) {
      isAtEnd = false;
      scroller.scrollTop += topOf(element) - below;
      lastTop = scroller.scrollTop;
      hold();
      checkSoon();
    },
    settle,
    end() {
      clearTimeout(check);
      for (const [type, listener] of Object.entries(listeners))
        scroller.removeEventListener(type, listener as EventListener);
    },
  };

  function toEnd(behavior: ScrollBehavior): void {
    isAtEnd = true;
    jump(distance() > scroller.clientHeight * GLIDE_VIEWS ? 'instant' : behavior);
  }

  function settle(): void {
    const isReflown = scroller.clientWidth !== lastWidth;
    lastWidth = scroller.clientWidth;
    if (isAtEnd) return jump('instant');
    // Where every line breaks anew, browsers let go of what they held on to.
    const kept = isReflown ? firstHeld() : ours();
    const moved = kept ? topOf(kept.element) - kept.inView : 0;
    if (Math.abs(moved) > HAIR) {
      scroller.scrollTop += moved;
      lastTop = scroller.scrollTop;
    }
    hold();
    checkSoon();
  }

  /** What is to be kept in its place here, unless the browser does it. */
  function ours(): Hold | undefined {
    const kept = firstHeld();
    return isAnchoring && kept === held[0] ? undefined : kept;
  }

  function firstHeld(): Hold | undefined {
    return held.find(({ element }) => element.isConnected);
  }

  /** Writes down what is in view. */
  function hold(): void {
    const view = scroller.getBoundingClientRect();
    held = findAnchor(content, view.top).map((element) => {
      const inView = element.getBoundingClientRect().top - view.top;
      return { element, inView, inContent: inView + scroller.scrollTop };
    });
  }

  /** After a scroll. What was laid out anew in the same moment is told apart: it is still to be put right. */
  function follow(): void {
    const kept = ours();
    const shift = kept ? topOf(kept.element) + scroller.scrollTop - kept.inContent : 0;
    if (!kept || Math.abs(shift) <= HAIR) return hold();
    kept.inView = topOf(kept.element) - shift;
    kept.inContent += shift;
  }

  function topOf(element: Element): number {
    return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  }

  function jump(behavior: ScrollBehavior): void {
    scroller.scrollTo({ top: scroller.scrollHeight, behavior });
    checkSoon();
  }

  function release(): void {
    if (scroller.scrollHeight <= scroller.clientHeight || !isAtEnd) return;
    isAtEnd = false;
    hold();
  }

  function checkSoon(): void {
    clearTimeout(check);
    check = setTimeout(report, CHECK);
  }

  function report(): void {
    onAway(scroller.scrollHeight > scroller.clientHeight && distance() >= scroller.clientHeight * AWAY);
  }

  function distance(): number {
    return scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
  }
}

function isPlain({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return !altKey && !ctrlKey && !metaKey && !shiftKey;
}

function isEditable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}
