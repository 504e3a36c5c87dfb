import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { composerId } from '../../slots/focus-composer.ts';
import { useSlotIndex } from '../../slots/slot.ts';
import { isTouchDevice } from '../../lib/is-touch-device.ts';

/**
 * The focused element of a chat may unmount or become disabled: a message deleted in another browser, the stop button,
 * the message box below a failed reply. This moves the focus to the most likely next element.
 */
export function useKeepFocus(thread: RefObject<HTMLElement | null>, isBusy: boolean): void {
  const index = useSlotIndex();
  const held = useRef<{ element: HTMLElement; isInThread: boolean } | null>(null);

  useEffect(() => {
    hold();
    document.addEventListener('focusin', hold);
    document.addEventListener('pointerdown', release, true);
    document.addEventListener('keydown', show);
    return () => {
      document.removeEventListener('focusin', hold);
      document.removeEventListener('pointerdown', release, true);
      document.removeEventListener('keydown', show);
    };

    function hold(): void {
      const { activeElement: element } = document;
      const isInThread = thread.current?.contains(element) === true;
      const isHere = isInThread || boxOf(index)?.form?.contains(element) === true;
      held.current = element instanceof HTMLElement && isHere ? { element, isInThread } : null;
    }

    /** A key press shows where the focus is. */
    function show(): void {
      delete thread.current?.dataset.quiet;
    }

    /** A click on the background removes the focus on purpose. */
    function release(): void {
      held.current = null;
    }
  }, [thread, index]);

  // Before paint, so that the next key press reaches an element.
  useLayoutEffect(() => {
    if (!held.current || canFocus(held.current.element)) return;
    const { element, isInThread } = held.current;
    held.current = null;
    if (document.activeElement !== document.body && document.activeElement !== element) return;
    const box = isInThread && !isBusy ? null : boxOf(index);
    const retry = thread.current?.querySelector<HTMLElement>('[data-latest] [data-testid=message-error] button');
    const next = [!isTouchDevice() && box, isInThread ? null : retry, thread.current].find(canFocus);
    if (!next) return;
    if (next === thread.current) next.dataset.quiet = '';
    next.focus({ preventScroll: true });
  });
}

function boxOf(index: number): HTMLTextAreaElement | null {
  const box = document.getElementById(composerId(index));
  return box instanceof HTMLTextAreaElement ? box : null;
}

function canFocus(element: HTMLElement | false | null | undefined): element is HTMLElement {
  return element ? element.isConnected && !element.matches(':disabled') : false;
}
