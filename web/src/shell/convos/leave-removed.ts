// Somebody deleted the conversation that is open here. What was being typed in it goes where the hands go on typing.
import '../../palette/lazy-words.ts';
import type { Change } from '@parley/schema/convos';
import { session } from '../../auth/current.ts';
import { draftsOf, NEW_CHAT } from '../../chat/drafts/drafts.ts';
import type { Store } from '../../chat/exchanges/exchange.ts';
import { FIRST_SLOT, slotAtom, startNewChat } from '../../chat/slot.ts';
import { i18n } from '../../i18n.ts';
import { showToast } from '../../lib/toast.tsx';
import { showUndo } from './undo.ts';
import { isNewChat, restoreDeletion } from './use-restore.ts';

type Removed = Extract<Change, { type: 'removed' }>;

/** Starts a new chat with the text that was being typed, and says why; an undo goes back to where it was, text and all. */
export function leaveRemoved(store: Store, { conversationId, deletionId }: Removed): void {
  if (store.get(slotAtom(FIRST_SLOT)).conversationId !== conversationId) return;
  const isCarried = carryDraft(store, conversationId, NEW_CHAT);
  startNewChat(store, FIRST_SLOT, null);
  const message = i18n.t('com_ui_convo_removed_elsewhere');
  if (deletionId === undefined) showToast({ message, severity: 'info' });
  else showUndo(message, () => void goBack(deletionId));

  async function goBack(id: string): Promise<void> {
    const isWaiting = isNewChat();
    const isBack = await restoreDeletion(store, id, conversationId);
    if (isBack && isWaiting && isCarried) carryDraft(store, NEW_CHAT, conversationId);
  }
}

/** Moves a text from one box to another, if there is one and the other is empty; true when that was done. */
function carryDraft(store: Store, from: string, to: string): boolean {
  const { user } = store.get(session.state);
  if (!user) return false;
  const drafts = draftsOf(user.id);
  const source = drafts.draftAtom(from);
  const target = drafts.draftAtom(to);
  const text = store.get(source);
  if (text === '' || store.get(target) !== '') return false;
  store.set(target, text);
  store.set(source, '');
  return true;
}
