// Keeps a growing text in view for as long as its reader is at the bottom, and never pulls a reader who left.

/** Within this many pixels of the end a reader is at the end: fractions get lost in zoomed pages. */
const NEAR = 4;
/** How far from the end, in views, the way back is offered. */
const AWAY = 0.15;
/** Milliseconds before the distance is first looked at, and after each scroll. */
const FIRST_CHECK = 650;
const CHECK = 100;

const UPWARD_KEYS = new Set(['ArrowUp', 'PageUp', 'Home']);

export interface Stick {
  /** Goes to the end and stays there. */
  toEnd(behavior: ScrollBehavior): void;
  /** Stops watching. */
  end(): void;
}

/** Watches a scrolling element and what grows in it. `onAway` is told whether the way back should be offered. */
export function createStick(scroller: HTMLElement, content: HTMLElement, onAway: (isAway: boolean) => void): Stick {
  let isStuck = true;
  let lastTop = 0;
  let lastTouch = 0;
  let check = setTimeout(report, FIRST_CHECK);
  const growth = new ResizeObserver(() => {
    if (isStuck) jump('instant');
    else checkSoon();
  });

  const listeners = {
    scroll() {
      const { scrollTop } = scroller;
      if (scrollTop < lastTop && distance() > NEAR) isStuck = false;
      if (scrollTop > lastTop && distance() <= NEAR) isStuck = true;
      lastTop = scrollTop;
      checkSoon();
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
    keydown({ key, shiftKey }: KeyboardEvent) {
      if (UPWARD_KEYS.has(key) || (key === ' ' && shiftKey)) release();
    },
  };
  for (const [type, listener] of Object.entries(listeners))
    scroller.addEventListener(type, listener as EventListener, { passive: true });
  growth.observe(content);
  growth.observe(scroller);
  jump('instant');

  return {
    toEnd(behavior) {
      isStuck = true;
      jump(behavior);
    },
    end() {
      clearTimeout(check);
      growth.disconnect();
      for (const [type, listener] of Object.entries(listeners))
        scroller.removeEventListener(type, listener as EventListener);
    },
  };

  function jump(behavior: ScrollBehavior): void {
    scroller.scrollTo({ top: scroller.scrollHeight, behavior });
    checkSoon();
  }

  function release(): void {
    if (scroller.scrollHeight > scroller.clientHeight) isStuck = false;
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
