import { isTouchDevice } from './sends-message.ts';

/** How the box of a slot is found by whoever has no reference to it. */
export function composerId(index: number): string {
  return `composer-${index}`;
}

/** The button that was pressed goes away with its row; without a keyboard to show, the focus goes on to the composer. */
export function handFocusToComposer(index: number): void {
  if (!isTouchDevice() && document.activeElement?.closest('[role=log]')) focusComposer(index);
}

/** Puts the caret at the end of what is typed. Waits for the next picture, because a text may just have been put in. */
export function focusComposer(index: number): void {
  requestAnimationFrame(() => {
    const box = document.getElementById(composerId(index));
    if (!(box instanceof HTMLTextAreaElement)) return;
    box.focus();
    box.setSelectionRange(box.value.length, box.value.length);
  });
}
