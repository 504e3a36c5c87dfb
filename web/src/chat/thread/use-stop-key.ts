import { useSidebar } from '../../layout/use-sidebar.ts';
import { useEventListener } from '../../ui/hooks/use-event-listener.ts';
import type { Chat } from '../use-chat.ts';

/** Escape stops the reply also when nothing in the chat has the focus, such as after a click on the background. */
export function useStopKey({ generationId, actions }: Chat): void {
  const { isDrawer, isOpen } = useSidebar();
  useEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.shiftKey || event.defaultPrevented || !isBesideEverything(event)) return;
      event.preventDefault();
      actions.stop();
    },
    { isOn: generationId !== null && !(isDrawer && isOpen) },
  );
}

/** A dialog or menu handles the key first. */
function isBesideEverything({ target }: KeyboardEvent): boolean {
  if (document.querySelector('[role=dialog], [role=menu]')) return false;
  return target === document.body || (target instanceof Element && target.matches('main'));
}
