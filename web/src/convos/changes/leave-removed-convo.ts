// Handles a deletion, elsewhere, of the conversation that is open here. The draft moves to a new chat, so that typing
// goes on.
import type { Change } from '@parley/schema/convos/convos';
import { session } from '../../session/current-session.ts';
import { draftStoreOf } from '../../chat/drafts/draft-store.ts';
import { FIRST_SLOT, slotAtom, startNewChat } from '../../slots/slot.ts';
import { i18n } from '../../i18n.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { showUndo } from '../../ui/toast/undo.ts';
import { isNewChat, restoreDeletion } from '../actions/use-restore.ts';
import { NEW_CHAT } from '../../slots/new-chat.ts';
import type { Store } from '../../lib/jotai-store.ts';

type Removed = Extract<Change, { type: 'removed' }>;

/** Starts a new chat with the draft and shows why; an undo goes back to the conversation, draft included. */
export function leaveRemovedConvo(store: Store, { conversationId, deletionId }: Removed): void {
  if (store.get(slotAtom(FIRST_SLOT)).conversationId !== conversationId) return;
  const isCarried = moveDraft(store, conversationId, NEW_CHAT);
  startNewChat(store, FIRST_SLOT, null);
  const message = i18n.t('com_ui_convo_removed_elsewhere');
  if (deletionId === undefined) showToast({ message, severity: 'info' });
  else showUndo(message, () => void goBack(deletionId));

  async function goBack(id: string): Promise<void> {
    const isWaiting = isNewChat();
    const isBack = await restoreDeletion(store, id, conversationId);
    if (isBack && isWaiting && isCarried) moveDraft(store, NEW_CHAT, conversationId);
  }
}

/** Moves a draft between conversations if there is one and the target is empty; true if it moved. */
function moveDraft(store: Store, from: string, to: string): boolean {
  const { user } = store.get(session.state);
  if (!user) return false;
  const drafts = draftStoreOf(user.id);
  const source = drafts.draftAtom(from);
  const target = drafts.draftAtom(to);
  const text = store.get(source);
  if (text === '' || store.get(target) !== '') return false;
  store.set(target, text);
  store.set(source, '');
  return true;
}
