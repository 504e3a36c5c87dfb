import { useEffect, type RefObject } from 'react';
import type { Slot } from '../../slots/slot.ts';
import { boundKeys } from '../../layout/bound-keys.ts';
import { isPressed } from '../../layout/shortcuts.ts';
import { isTouchDevice } from '../../lib/is-touch-device.ts';
import { useEventListener } from '../../ui/hooks/use-event-listener.ts';

/** Milliseconds until a new chat takes the focus: the control that opened it must release it first. */
const FOCUS_AFTER_MS = 150;

/**
 * Focuses the message box when a chat opens, except on touch devices, where the keyboard would cover half the screen.
 * A shortcut focuses it from anywhere.
 */
export function useComposerFocus(box: RefObject<HTMLTextAreaElement | null>, { conversationId }: Slot): void {
  useEffect(() => {
    if (isTouchDevice()) return;
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
    const timer = setTimeout(() => {
      // The user may have moved on by now, and a linked message already has the focus.
      if (!document.activeElement?.closest('[role=log], [role=dialog], input, textarea'))
        box.current?.focus({ preventScroll: true });
    }, FOCUS_AFTER_MS);
    const events = ['pointerdown', 'keydown'] as const;
    for (const event of events) document.addEventListener(event, giveUp, true);
    return giveUp;

    /** Any user action cancels the delayed focus. */
    function giveUp(event?: Event): void {
      if (event instanceof KeyboardEvent && isCharacter(event)) return;
      clearTimeout(timer);
      for (const type of events) document.removeEventListener(type, giveUp, true);
    }
  }, [box, conversationId]);

  useEventListener('keydown', (event) => {
    if (!isPressed(event, boundKeys('composer'))) return;
    event.preventDefault();
    box.current?.focus();
  });
}

/** Typing a character does not cancel it: the text is meant for the message box. */
function isCharacter({ key }: KeyboardEvent): boolean {
  return key.length === 1 && key !== ' ';
}
