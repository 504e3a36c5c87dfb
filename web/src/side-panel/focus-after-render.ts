/** Marks the element that takes the focus from a button that disappears when used. */
export const FOCUS = { open: 'data-panel-open', shut: 'data-panel-shut', hidden: 'data-panel-hidden' } as const;

/** After the next render, focuses the first of these elements that exists. */
export function focusAfterRender(attribute: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[${attribute}]`)?.focus({ preventScroll: true }));
}
