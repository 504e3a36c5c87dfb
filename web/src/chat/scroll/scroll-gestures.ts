// The user's scroll gestures, as distinct from programmatic scrolling.

const UPWARD_KEYS = new Set(['ArrowUp', 'PageUp', 'Home']);

interface Gestures {
  onScroll(): void;
  /** The user starts to scroll up. */
  onUpward(): void;
  /** The user presses End. */
  onEnd(): void;
}

/** Listens until the returned function is called. */
export function listenToScrolling(scroller: HTMLElement, { onScroll, onUpward, onEnd }: Gestures): () => void {
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
