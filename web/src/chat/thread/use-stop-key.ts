import { useEffect } from 'react';
import { useSidebar } from '../../shell/sidebar/use-sidebar.ts';
import type { Chat } from '../use-chat.ts';

/** Escape stops the answer also after a click beside everything, when nothing in the chat has the focus to hear it. */
export function useStopKey({ generationId, actions }: Chat): void {
  const { isDrawer, isOpen } = useSidebar();
  const isOn = generationId !== null && !(isDrawer && isOpen);
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.shiftKey || event.defaultPrevented || !isBesideEverything(event)) return;
      event.preventDefault();
      actions.stop();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOn, actions]);
}

/** Whatever lies over the page has the first word on the key. */
function isBesideEverything({ target }: KeyboardEvent): boolean {
  if (document.querySelector('[role=dialog], [role=menu]')) return false;
  return target === document.body || (target instanceof Element && target.matches('main'));
}
