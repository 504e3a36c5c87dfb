import { isTouchDevice } from '../lib/is-touch-device.ts';

/** The element id of a slot's composer, for code without a reference to it. */
export function composerId(index: number): string {
  return `composer-${index}`;
}

/**
 * The pressed button disappears, with its row or as there is nothing to send: the focus moves to the composer, unless
 * that would open an on-screen keyboard.
 */
export function moveFocusToComposer(index: number): void {
  if (document.activeElement?.closest('[role=log], [type=submit]') && !isTouchDevice()) focusComposer(index);
}

/** What had the focus is gone with all that is around it. Who has gone on to a dialog or a field is left there. */
export function leaveToComposer(index: number): void {
  if (!document.activeElement?.closest('[role=dialog], input, textarea') && !isTouchDevice()) focusComposer(index);
}

/** Puts the caret at the end of the text. Waits for the next frame, because a text may just have been inserted. */
export function focusComposer(index: number): void {
  requestAnimationFrame(() => {
    const box = document.getElementById(composerId(index));
    if (!(box instanceof HTMLTextAreaElement)) return;
    box.focus();
    box.setSelectionRange(box.value.length, box.value.length);
  });
}
