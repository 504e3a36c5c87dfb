import { useAtom } from 'jotai';
import { useEffect, useRef } from 'react';
import { openDialogAtom, useToggleDialog } from '../dialogs/open-dialog.ts';
import { isPressed, SHORTCUTS } from '../layout/shortcuts.ts';
import { undoLast } from '../ui/toast/undo.ts';
import { useNewChat } from '../slots/use-new-chat.ts';
import { useSidebar } from '../layout/use-sidebar.ts';

/** Global shortcuts. They also work in the composer. */
export function useShortcuts(): void {
  const newChat = useNewChat();
  const { toggle } = useSidebar();
  const toggleDialog = useToggleDialog();
  const [dialog, setDialog] = useAtom(openDialogAtom);

  /** False when no handler wants the key; the browser then handles it. */
  function take(event: KeyboardEvent): boolean {
    if (isPressed(event, SHORTCUTS.palette)) toggleDialog({ name: 'palette' });
    else if (isPressed(event, SHORTCUTS.shortcuts)) toggleDialog({ name: 'shortcuts' });
    else if (isPressed(event, SHORTCUTS.newChat)) {
      setDialog(null);
      newChat();
    } else if (isPressed(event, SHORTCUTS.sidebar) && dialog === null) toggle();
    else if (isPressed(event, SHORTCUTS.undo)) return !isWriting(event.target) && undoLast();
    else if (isPressed(event, SHORTCUTS.notice)) return focusToast();
    else return false;
    return true;
  }

  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (latest.current(event)) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** In a text field the key undoes typing. */
function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');
}

/** Focuses the first button of the newest toast; false when there is none. The toast restores the focus. */
function focusToast(): boolean {
  const button = [...document.querySelectorAll('[data-testid="toast"]')].at(-1)?.querySelector('button');
  button?.focus();
  return Boolean(button);
}
