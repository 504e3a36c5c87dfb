import { useEffect } from 'react';
import { useSidebar } from '../../layout/use-sidebar.ts';
import type { Chat } from '../use-chat.ts';

/** Escape stops the reply also when nothing in the chat has the focus, such as after a click on the background. */
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

/** A dialog or menu handles the key first. */
function isBesideEverything({ target }: KeyboardEvent): boolean {
  if (document.querySelector('[role=dialog], [role=menu]')) return false;
  return target === document.body || (target instanceof Element && target.matches('main'));
}
