/** Where Mantine puts the focus in what it has opened, some time after it has been drawn. */
const MARK = 'data-autofocus';

const REACHED =
  ':is(a[href], button, input, select, textarea, [tabindex]):not(:disabled, [hidden], [tabindex="-1"]), [data-menu-item]:not(:disabled)';

const seen = new WeakSet<HTMLElement>();

/**
 * A ref for what a dialog, a popover or a menu is drawn in: what is marked, or else what comes first, has the focus
 * before it is painted. Mantine waits for timers, and on a busy machine the keys pressed until then went to what is below.
 */
export function focusAtOnce(frame: HTMLElement | null): void {
  // Mantine tells its refs of an element again when it closes.
  if (!frame || seen.has(frame)) return;
  seen.add(frame);
  focusFirst(frame);
}

/** The mark goes with the focus, so that Mantine's timers leave it where it is by then. */
export function focusFirst(frame: HTMLElement): void {
  frame.addEventListener('focusin', takeMarkAlong);
  const first = frame.querySelector<HTMLElement>(`[${MARK}]`) ?? frame.querySelector<HTMLElement>(REACHED);
  first?.focus({ preventScroll: true });
}

function takeMarkAlong({ currentTarget, target }: FocusEvent): void {
  if (!(currentTarget instanceof Element) || !(target instanceof Element)) return;
  currentTarget.querySelector(`[${MARK}]`)?.removeAttribute(MARK);
  target.setAttribute(MARK, '');
}
