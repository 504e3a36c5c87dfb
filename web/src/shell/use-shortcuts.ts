import { useAtom } from 'jotai';
import { useEffect, useRef } from 'react';
import { openDialogAtom, useToggleDialog } from './dialogs/dialogs.ts';
import { goToNotice } from './go-to-notice.ts';
import { isPressed, SHORTCUTS } from './shortcuts.ts';
import { undoLast } from './convos/undo.ts';
import { useNewChat } from './use-new-chat.ts';
import { useSidebar } from './sidebar/use-sidebar.ts';

/** The keys that work wherever the focus is, so also in the composer. */
export function useShortcuts(): void {
  const newChat = useNewChat();
  const { toggle } = useSidebar();
  const toggleDialog = useToggleDialog();
  const [dialog, setDialog] = useAtom(openDialogAtom);

  /** False when nothing here wants the key: it stays the browser's. */
  function take(event: KeyboardEvent): boolean {
    if (isPressed(event, SHORTCUTS.palette)) toggleDialog({ name: 'palette' });
    else if (isPressed(event, SHORTCUTS.shortcuts)) toggleDialog({ name: 'shortcuts' });
    else if (isPressed(event, SHORTCUTS.newChat)) {
      setDialog(null);
      newChat();
    } else if (isPressed(event, SHORTCUTS.sidebar) && dialog === null) toggle();
    else if (isPressed(event, SHORTCUTS.undo)) return !isWriting(event.target) && undoLast();
    else if (isPressed(event, SHORTCUTS.notice)) return goToNotice();
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

/** There the key takes back what was typed. */
function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');
}
