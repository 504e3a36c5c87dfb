import { useAtom, useAtomValue, useStore } from 'jotai';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { openFind } from '../../chat/find-in-chat.ts';
import { printChat } from '../../chat/print-chat.ts';
import { copyLastAnswer, copyLastCode } from '../../chat/message-copy/copy-last.ts';
import { useRemove } from '../../convos/actions/use-remove.ts';
import { useOpenConvo } from '../../convos/open-convo.ts';
import { openDialogAtom } from '../../dialogs/open-dialog.ts';
import { FIRST_SLOT, slotAtom } from '../../slots/slot.ts';
import { useNewChat } from '../../slots/use-new-chat.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { heldKeyAtom, type LATER_SHORTCUTS } from './held-key.ts';
import { useShortcutKeys, type ShortcutAction } from './use-shortcut-keys.ts';

/** The shortcuts that can wait until one can type. Those of the chat do nothing behind a dialog. */
export function MoreShortcuts() {
  const { t } = useTranslation();
  const store = useStore();
  const convo = useOpenConvo();
  const remove = useRemove();
  const newChat = useNewChat();
  const hasDialog = useAtomValue(openDialogAtom) !== null;
  const actions: Record<(typeof LATER_SHORTCUTS)[number], ShortcutAction> = {
    find: (event) => !hasDialog && !event.defaultPrevented && openFind(store),
    print: () => !hasDialog && printChat(store),
    models: () => !hasDialog && openModels(),
    temporary: () => !hasDialog && startTemporary(),
    removeChat: () => !hasDialog && removeChat(),
    copyAnswer: () => !hasDialog && copy(copyLastAnswer(store), t('com_shortcut_answer_copied')),
    copyCode: () => !hasDialog && copy(copyLastCode(store), t('com_shortcut_code_copied')),
  };
  useShortcutKeys(actions);
  useHeldKey();
  return null;

  /** An empty chat becomes a temporary one, and back; from any other a new one begins. */
  function startTemporary(): boolean {
    const { isNewChat, isTemporary } = store.get(slotAtom(FIRST_SLOT));
    if (!isNewChat) newChat();
    store.set(slotAtom(FIRST_SLOT), (slot) => ({ ...slot, isTemporary: !isNewChat || !isTemporary }));
    return true;
  }

  /** Without a question: its toast offers the undo. A temporary chat ends by itself. */
  function removeChat(): boolean {
    if (!convo || convo.temporaryUntil) return false;
    remove([convo.conversationId]);
    return true;
  }
}

/** Presses again what was pressed before this had loaded. */
function useHeldKey(): void {
  const [held, hold] = useAtom(heldKeyAtom);
  useEffect(() => {
    if (!held) return;
    hold(null);
    document.dispatchEvent(new KeyboardEvent(held.type, held));
  }, [held, hold]);
}

function openModels(): boolean {
  const button = document.getElementById('new-conversation-menu');
  button?.click();
  return button !== null;
}

function copy(copied: Promise<boolean>, message: string): boolean {
  void copied.then((isCopied) => isCopied && showToast({ message, severity: 'success' }));
  return true;
}
