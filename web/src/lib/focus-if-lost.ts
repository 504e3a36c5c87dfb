/** Focuses the element if what had the focus is gone. As a ref: when the element takes the place of what had it. */
export function focusIfLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}
