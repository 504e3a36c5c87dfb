/** Marks what takes the focus from a button that goes away with what it did. */
export const FOCUS = { open: 'data-panel-open', shut: 'data-panel-shut', hidden: 'data-panel-hidden' } as const;

/** Once the screen has changed: the first of these that is there. */
export function focusSoon(attribute: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[${attribute}]`)?.focus({ preventScroll: true }));
}
