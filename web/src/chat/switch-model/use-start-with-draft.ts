import { useStore } from 'jotai';
import type { Choice } from '../../catalog/choose-model.ts';
import { NEW_CHAT } from '../../slots/new-chat.ts';
import { startNewChat, useSlotIndex } from '../../slots/slot.ts';
import { useChatSession } from '../chat-session-context.tsx';

/** Starts a new chat, into which the unsent text and its files go along. */
export function useStartWithDraft(draftKey: string): (choice: Choice) => void {
  const store = useStore();
  const index = useSlotIndex();
  const { drafts } = useChatSession();
  return (choice) => {
    const [text, files] = [drafts.draftAtom(draftKey), drafts.attachmentsAtom(draftKey)];
    const [newText, newFiles] = [drafts.draftAtom(NEW_CHAT), drafts.attachmentsAtom(NEW_CHAT)];
    const [typed, attached] = [store.get(text), store.get(files)];
    startNewChat(store, index, choice);
    if (draftKey === NEW_CHAT || (typed === '' && attached.length === 0)) return;
    // An unsent text of another new chat stays, too.
    store.set(newText, [store.get(newText), typed].filter(Boolean).join('\n\n'));
    store.set(newFiles, [...store.get(newFiles), ...attached]);
    store.set(text, '');
    store.set(files, []);
  };
}
