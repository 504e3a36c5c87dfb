// Keeps the scroll position: at the end while the text grows, if the user is there, else at the line in view, whatever
// heights change above it. Most browsers do the latter themselves, also during a smooth scroll, as long as their anchor
// element exists; this file does the rest.

// Stores the anchor elements and their positions in the viewport, to compensate for layout changes above them. Browsers
// with scroll anchoring do so for the first of them.

// The scroll anchor: the first element that starts inside the viewport.

/** Marks a row whose message is not loaded: its content will be replaced. */
const PENDING = 'pending';

/** Smaller shifts, in pixels, are rounding errors. */
const ROUNDING_PX = 0.75;

// The user's scroll gestures, as distinct from programmatic scrolling.

const UPWARD_KEYS = new Set(['ArrowUp', 'PageUp', 'Home']);

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

interface Gestures {
  onScroll(): void;
  /** The user starts to scroll up. */
  onUpward(): void;
  /** The user presses End. */
  onEnd(): void;
}

/** Listens until the returned function is called. */
function listenToScrolling(scroller: HTMLElement, { onScroll, onUpward, onEnd }: Gestures): () => void {
  let lastTouch = 0;
  const listeners = {
    scroll: onScroll,
    wheel({ deltaY }: WheelEvent) {
      if (deltaY < 0) onUpward();
    },
    pointerdown({ target, offsetX }: PointerEvent) {
      if (target === scroller && isOnScrollbar(scroller, offsetX)) onUpward();
    },
    touchstart({ touches }: TouchEvent) {
      lastTouch = touches[0]?.clientY ?? 0;
    },
    touchmove({ touches }: TouchEvent) {
      const touch = touches[0]?.clientY ?? lastTouch;
      if (touch > lastTouch) onUpward();
      lastTouch = touch;
    },
    keydown(event: KeyboardEvent) {
      const { key, shiftKey, target } = event;
      if (UPWARD_KEYS.has(key) || (key === ' ' && shiftKey)) onUpward();
      // The browser would scroll to the current end, before rows on the way have their measured heights.
      if (key !== 'End' || !isPlain(event) || isEditable(target)) return;
      event.preventDefault();
      onEnd();
    },
  };
  const all = Object.entries(listeners) as [string, EventListener][];
  for (const [type, listener] of all) scroller.addEventListener(type, listener, { passive: type !== 'keydown' });
  return () => {
    for (const [type, listener] of all) scroller.removeEventListener(type, listener);
  };
}

/** The scrollbar is beside the content: at its left where text goes from right to left. */
function isOnScrollbar({ clientWidth }: HTMLElement, offsetX: number): boolean {
  return offsetX < 0 || offsetX >= clientWidth;
}

function isPlain({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return !altKey && !ctrlKey && !metaKey && !shiftKey;
}

function isEditable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

/** An element, its top in the viewport, and its top in the content at the same moment. */
interface Hold {
  element: Element;
  inView: number;
  inContent: number;
}

function createScrollHold(scroller: HTMLElement, content: HTMLElement) {
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

/**
 * Candidates for the scroll anchor, the best first; if one is removed, the next takes over. `edge` is the top of the
 * viewport in client coordinates.
 */
function findAnchor(content: Element, edge: number): Element[] {
  const rows = [...content.children].filter((child) => child instanceof HTMLElement && child.dataset.row !== undefined);
  const at = rows.findIndex((row) => row.getBoundingClientRect().bottom > edge);
  const row = rows[at];
  if (!row) return [];
  const next = rows[at + 1] ?? row;
  if (row.getBoundingClientRect().top >= edge) return [row];
  return row instanceof HTMLElement && row.dataset.row === PENDING ? [next, row] : [firstBelow(row, edge), next, row];
}

/** The first element within `row` that starts below the edge, at any depth; else the row. */
function firstBelow(row: Element, edge: number): Element {
  return findBelow(row, edge) ?? row;
}

/**
 * An element that crosses the edge may contain none that starts below it, such as an image beside a text: then its
 * next sibling may.
 */
function findBelow(within: Element, edge: number): Element | undefined {
  for (const element of within.children) {
    const { height, top, bottom } = element.getBoundingClientRect();
    // Visually hidden elements have no size and an arbitrary position.
    if (height <= 1 || bottom <= edge) continue;
    const found = top >= edge ? element : findBelow(element, edge);
    if (found) return found;
  }
  return undefined;
}
