// Keeps the keyboard in the field that its person has put it in. A frame may take the focus at any time, by a timer too;
// browsers have nothing against it. So the frame is told when it may hear keys: `public/artifact/frame.js` keeps them from
// the program whenever a field of the page had the focus and nobody went from it into the frame, by a press, Tab or F6.
// Such a focus is brought back, and the program is ended.

/** Milliseconds after Tab, F6 or a press in which the focus may follow. */
const FOLLOWS_MS = 500;
/** Milliseconds in which the frame tells the press that has moved the focus. */
const TELLS_MS = 150;
const TAKES_TEXT =
  'textarea, select, [contenteditable]:not([contenteditable="false"]), input:not([type="button"], [type="submit"], [type="reset"], [type="checkbox"], [type="radio"])';

/** What the frame is told: whether the program hears keys, from now on or while the focus of this number lasts. */
export type KeyWord = { keys: false } | { keys: true; entry: number };

interface FocusGuard {
  /** A pointer was pressed within the frame, which only the frame sees. */
  pressed: () => void;
  /** The frame has got the focus, and for which time. */
  focused: (entry: number) => void;
  close: () => void;
}

/** `onTheft` is called when the focus was taken from a field: it is brought back once the frame has been removed. */
export function guardFocus(frame: HTMLIFrameElement, say: (word: KeyWord) => void, onTheft: () => void): FocusGuard {
  const ending = new AbortController();
  const always = { capture: true, signal: ending.signal };
  /** The field of the page that has the focus. */
  let field: HTMLElement | null = null;
  let entry = 0;
  let mayEnterUntil = -Infinity;
  let pressedAt = -Infinity;
  let suspicion: ReturnType<typeof setTimeout> | undefined;

  goTo(fieldOf(document.activeElement));
  window.addEventListener('keydown', onKey, always);
  window.addEventListener('focusin', onFocus, always);
  window.addEventListener('focusout', () => setTimeout(onLeave), always);
  window.addEventListener('blur', look, always);
  return {
    pressed() {
      pressedAt = performance.now();
      if (suspicion !== undefined) goTo(null);
    },
    focused(now) {
      entry = now;
      if (field === null) say({ keys: true, entry });
      else look();
    },
    close() {
      clearTimeout(suspicion);
      ending.abort();
    },
  };

  /** Its person is in this field, or in none. */
  function goTo(entered: HTMLElement | null): void {
    clearTimeout(suspicion);
    suspicion = undefined;
    const isOther = (field === null) !== (entered === null);
    field = entered;
    // What was pressed before leads nowhere any more.
    if (entered) mayEnterUntil = pressedAt = -Infinity;
    if (isOther) say(entered ? { keys: false } : { keys: true, entry });
  }

  function onKey({ key }: KeyboardEvent): void {
    mayEnterUntil = key === 'Tab' || key === 'F6' ? performance.now() + FOLLOWS_MS : -Infinity;
  }

  function onFocus({ target }: FocusEvent): void {
    if (target === frame) look();
    else if (suspicion === undefined) goTo(fieldOf(target));
  }

  /** The field was left for nothing, or is gone. */
  function onLeave(): void {
    if (!ending.signal.aborted && document.activeElement === document.body) goTo(null);
  }

  /** Whether the frame has got the focus of a field, and how. */
  function look(): void {
    if (document.activeElement !== frame || suspicion !== undefined) return;
    const now = performance.now();
    if (!field?.isConnected || now <= mayEnterUntil || now - pressedAt <= FOLLOWS_MS) return goTo(null);
    suspicion = setTimeout(() => {
      onTheft();
      bringBack(field);
    }, TELLS_MS);
  }

  /** While the frame is there, it could take the focus again. */
  function bringBack(lost: HTMLElement | null): void {
    const { activeElement } = document;
    if (activeElement === frame || activeElement === document.body) lost?.focus({ preventScroll: true });
    if (frame.isConnected) setTimeout(bringBack, 0, lost);
  }
}

/** Where what is typed is text. */
function fieldOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof HTMLElement && target.matches(TAKES_TEXT) ? target : null;
}
