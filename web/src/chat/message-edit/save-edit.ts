import type { Message } from '@parley/schema/messages/messages';
import { i18n } from '../../i18n.ts';
import { describeError } from '../../errors/describe-error.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { api } from '../../trpc.ts';
import { pendingEditsAtom, setPendingEditAtom } from './pending-edits.ts';
import type { ChatSession } from '../chat-session.ts';
import type { Store } from '../../lib/jotai-store.ts';

/**
 * Saves an edited text: shows it at once, and on failure reopens the editor with a toast. The draft of the edit stays
 * until the server has the text, so that leaving the page loses nothing.
 */
export async function saveEdit(
  { cache, drafts }: Pick<ChatSession, 'cache' | 'drafts'>,
  store: Store,
  { conversationId, messageId }: Message,
  text: string,
): Promise<void> {
  const edit = drafts.editAtom(messageId);
  const pending = { text, isReopened: false };
  const current = () => store.get(pendingEditsAtom).get(messageId);
  store.set(edit, text);
  store.set(setPendingEditAtom, messageId, pending);
  try {
    cache.putMessages(conversationId, [await api.messages.edit.mutate({ conversationId, messageId, text })]);
    // Unless the user has reopened the editor meanwhile.
    if (current() === pending) store.set(edit, undefined);
  } catch (error) {
    showToast({ message: describeError(error, i18n.t), severity: 'error' });
  } finally {
    // Unless another text is being saved by now.
    if (current()?.text === text) store.set(setPendingEditAtom, messageId, null);
  }
}
