// Keeps the focus where its person has put it. A frame may take it at any time, by a timer too, and what is typed next would
// be read by what runs there. So the frame is inert until somebody enters it (a pointer over it, Tab or F6) and again as
// soon as they are elsewhere; and a focus that goes there from a field although nobody went is brought back.

/** Milliseconds after Tab, F6 or a press in which the focus may follow. */
const FOLLOWS_MS = 500;
const TAKES_TEXT =
  'textarea, select, [contenteditable]:not([contenteditable="false"]), input:not([type="button"], [type="submit"], [type="reset"], [type="checkbox"], [type="radio"])';

interface FocusGuard {
  /** A pointer was pressed within the frame, which only the frame sees. */
  pressed: () => void;
  close: () => void;
}

/** `onTheft` is called when the focus was taken, after it has been brought back. */
export function guardFocus(frame: HTMLIFrameElement, onTheft: () => void): FocusGuard {
  const around = frame.parentElement ?? frame;
  const ending = new AbortController();
  const always = { capture: true, signal: ending.signal };
  let field = fieldOf(document.activeElement);
  let mayEnterUntil = 0;
  let pressedAt = -Infinity;
  /** The frame is asked whether it was pressed. */
  let suspicion: ReturnType<typeof setTimeout> | undefined;

  frame.inert = true;
  window.addEventListener('keydown', onKey, always);
  window.addEventListener('focusin', onFocus, always);
  window.addEventListener('blur', onBlur, always);
  for (const name of ['pointerover', 'pointermove', 'pointerdown'] as const)
    around.addEventListener(name, onPointer, always);
  return {
    pressed() {
      pressedAt = performance.now();
      if (suspicion === undefined) return;
      clearSuspicion();
      frame.inert = false;
      frame.focus();
    },
    close() {
      clearSuspicion();
      ending.abort();
    },
  };

  /** What is inert is no target: a pointer over it is one over what holds it. */
  function onPointer({ target }: PointerEvent): void {
    if (target === frame || target === around) frame.inert = false;
  }

  function onKey({ key }: KeyboardEvent): void {
    const isWay = key === 'Tab' || key === 'F6';
    mayEnterUntil = isWay ? performance.now() + FOLLOWS_MS : 0;
    frame.inert = !isWay;
  }

  function onFocus({ target }: FocusEvent): void {
    if (target === frame) return onBlur();
    field = fieldOf(target);
    frame.inert = true;
  }

  function onBlur(): void {
    if (document.activeElement !== frame || !field?.isConnected) return;
    const now = performance.now();
    if (now <= mayEnterUntil || now - pressedAt <= FOLLOWS_MS) {
      field = null;
      return;
    }
    frame.inert = true;
    field.focus({ preventScroll: true });
    // The press may be told after the focus that it has moved.
    suspicion ??= setTimeout(onTheft, FOLLOWS_MS);
  }

  function clearSuspicion(): void {
    clearTimeout(suspicion);
    suspicion = undefined;
  }
}

/** Where what is typed is text. */
function fieldOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof HTMLElement && target.matches(TAKES_TEXT) ? target : null;
}
