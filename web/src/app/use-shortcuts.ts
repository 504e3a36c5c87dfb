import { useAtom } from 'jotai';
import { openDialogAtom, useToggleDialog } from '../dialogs/open-dialog.ts';
import { undoLast } from '../ui/toast/undo.ts';
import { useNewChat } from '../slots/use-new-chat.ts';
import { useSidebar } from '../layout/use-sidebar.ts';
import { heldKeyAtom, LATER_SHORTCUTS } from './shortcuts/held-key.ts';
import { useShortcutKeys } from './shortcuts/use-shortcut-keys.ts';

/**
 * The global shortcuts of the first screen. They also work in the composer; `more-shortcuts.ts` has the others, and until
 * it `hasMore` the one that is pressed waits for it.
 */
export function useShortcuts(hasMore: boolean): void {
  const newChat = useNewChat();
  const { toggle } = useSidebar();
  const toggleDialog = useToggleDialog();
  const [dialog, setDialog] = useAtom(openDialogAtom);
  const [held, hold] = useAtom(heldKeyAtom);
  // The browser has what is pressed a second time: the rest may never load.
  const holdFirst = (event: KeyboardEvent) => (held ? false : hold(event));
  useShortcutKeys({
    ...(hasMore ? {} : Object.fromEntries(LATER_SHORTCUTS.map((name) => [name, holdFirst]))),
    palette: () => toggleDialog({ name: 'palette' }),
    settings: () => toggleDialog({ name: 'settings' }),
    shortcuts: () => toggleDialog({ name: 'shortcuts' }),
    newChat() {
      setDialog(null);
      newChat();
    },
    sidebar() {
      if (dialog !== null) return false;
      toggle();
    },
    undo: ({ target }) => !isWriting(target) && undoLast(),
    notice: focusToast,
  });
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
