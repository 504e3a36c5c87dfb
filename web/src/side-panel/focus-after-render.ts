// Tests of this room: tests/e2e/endpoints/side-panel.test.ts.

/** Marks the element that takes the focus from a button that disappears when used. */
export const FOCUS = { open: 'data-panel-open', shut: 'data-panel-shut', hidden: 'data-panel-hidden' } as const;

/** Frames: the panel may still be loading. */
const FRAMES_MAX = 60;

/** Focuses the first of these elements as soon as it is drawn. */
export function focusAfterRender(attribute: string, frames = FRAMES_MAX): void {
  requestAnimationFrame(() => {
    const element = document.querySelector<HTMLElement>(`[${attribute}]`);
    if (element) element.focus({ preventScroll: true });
    else if (frames > 0) focusAfterRender(attribute, frames - 1);
  });
}
