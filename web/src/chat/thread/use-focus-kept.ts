import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { composerId } from '../composer/focus-composer.ts';
import { isTouchDevice } from '../composer/sends-message.ts';
import { useSlotIndex } from '../slot.ts';

/**
 * What has the focus in a chat may go away, or be disabled, by itself: a message that another browser deletes, the button
 * that stops an answer, the box below an answer that fails. Then the focus goes on to where one would go next.
 */
export function useFocusKept(thread: RefObject<HTMLElement | null>, isBusy: boolean): void {
  const index = useSlotIndex();
  const held = useRef<{ element: HTMLElement; isInThread: boolean } | null>(null);

  useEffect(() => {
    hold();
    document.addEventListener('focusin', hold);
    document.addEventListener('pointerdown', letGo, true);
    return () => {
      document.removeEventListener('focusin', hold);
      document.removeEventListener('pointerdown', letGo, true);
    };

    function hold(): void {
      const { activeElement: element } = document;
      const isInThread = thread.current?.contains(element) === true;
      const isHere = isInThread || boxOf(index)?.form?.contains(element) === true;
      held.current = element instanceof HTMLElement && isHere ? { element, isInThread } : null;
    }

    /** A click beside everything is meant to take the focus away. */
    function letGo(): void {
      held.current = null;
    }
  }, [thread, index]);

  // Before it is painted: nobody's next key goes nowhere.
  useLayoutEffect(() => {
    if (!held.current || canFocus(held.current.element)) return;
    const { element, isInThread } = held.current;
    held.current = null;
    if (document.activeElement !== document.body && document.activeElement !== element) return;
    const box = isInThread && !isBusy ? null : boxOf(index);
    const retry = thread.current?.querySelector<HTMLElement>('[data-latest] [data-testid=message-error] button');
    const next = [!isTouchDevice() && box, isInThread ? null : retry, thread.current].find(canFocus);
    next?.focus({ preventScroll: true });
  });
}

function boxOf(index: number): HTMLTextAreaElement | null {
  const box = document.getElementById(composerId(index));
  return box instanceof HTMLTextAreaElement ? box : null;
}

function canFocus(element: HTMLElement | false | null | undefined): element is HTMLElement {
  return element ? element.isConnected && !element.matches(':disabled') : false;
}
