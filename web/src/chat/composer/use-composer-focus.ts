import { useEffect, type RefObject } from 'react';
import { isTouchDevice } from './sends-message.ts';
import type { Slot } from '../slot.ts';

/** Milliseconds after which a new chat takes the focus: what opened it has to have let go of it. */
const FOCUS_AFTER = 150;

/**
 * Focuses the box when a chat opens, except where that would bring up a keyboard over half the screen, and on
 * Shift+Escape from anywhere.
 */
export function useComposerFocus(box: RefObject<HTMLTextAreaElement | null>, { conversationId }: Slot): void {
  useEffect(() => {
    if (isTouchDevice()) return;
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
    const timer = setTimeout(() => {
      // Someone may be busy elsewhere by now, and a message that was asked for by the address has it already.
      if (!document.activeElement?.closest('[role=log], [role=dialog], input, textarea'))
        box.current?.focus({ preventScroll: true });
    }, FOCUS_AFTER);
    const events = ['pointerdown', 'keydown'] as const;
    for (const event of events) document.addEventListener(event, giveUp, true);
    return giveUp;

    /** Someone who does something has the focus where it is wanted. */
    function giveUp(event?: Event): void {
      if (event instanceof KeyboardEvent && isCharacter(event)) return;
      clearTimeout(timer);
      for (const type of events) document.removeEventListener(type, giveUp, true);
    }
  }, [box, conversationId]);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== 'Escape' || !event.shiftKey) return;
      event.preventDefault();
      box.current?.focus();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [box]);
}

/** Whoever begins to write at once means the box. */
function isCharacter({ key }: KeyboardEvent): boolean {
  return key.length === 1 && key !== ' ';
}
