/** Where Mantine puts the focus in a dialog, some time after it has been drawn. */
const MARK = 'data-autofocus';

/**
 * A ref for what a dialog is drawn in: what is marked has the focus before it is painted. Mantine waits for timers, and
 * on a busy machine the keys pressed until then went to what is below the dialog. The mark goes with the focus, so that
 * those timers leave it where it is by then.
 */
export function focusAtOnce(frame: HTMLElement | null): void {
  const first = frame?.querySelector<HTMLElement>(`[${MARK}]`);
  if (!frame || !first) return;
  frame.addEventListener('focusin', ({ target }) => {
    frame.querySelector(`[${MARK}]`)?.removeAttribute(MARK);
    if (target instanceof Element) target.setAttribute(MARK, '');
  });
  first.focus({ preventScroll: true });
}
