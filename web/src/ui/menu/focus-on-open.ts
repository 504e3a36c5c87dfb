/** The attribute by which Mantine finds the element to focus, some time after render. */
const MARK = 'data-autofocus';

const REACHED =
  ':is(a[href], button, input, select, textarea, [tabindex]):not(:disabled, [hidden], [tabindex="-1"]), [data-menu-item]:not(:disabled)';

const seen = new WeakSet<HTMLElement>();

/**
 * A ref for the content of a dialog, popover or menu: focuses the marked element, or the first focusable one, before
 * the first paint. Mantine waits for timers, and on a busy machine earlier key presses reached the page below.
 */
export function focusOnOpen(frame: HTMLElement | null): void {
  // Mantine calls its refs again on close.
  if (!frame || seen.has(frame)) return;
  seen.add(frame);
  focusFirst(frame);
}

/** Removes the mark, so that Mantine's later timers keep the focus where it is. */
export function focusFirst(frame: HTMLElement): void {
  frame.addEventListener('focusin', moveMark);
  const first = frame.querySelector<HTMLElement>(`[${MARK}]`) ?? frame.querySelector<HTMLElement>(REACHED);
  first?.focus({ preventScroll: true });
}

function moveMark({ currentTarget, target }: FocusEvent): void {
  if (!(currentTarget instanceof Element) || !(target instanceof Element)) return;
  currentTarget.querySelector(`[${MARK}]`)?.removeAttribute(MARK);
  target.setAttribute(MARK, '');
}
