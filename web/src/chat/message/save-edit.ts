import type { Message } from '@parley/schema/messages';
import { i18n } from '../../i18n.ts';
import { describeError } from '../../lib/describe-error.ts';
import { showToast } from '../../lib/toast.tsx';
import { api } from '../../trpc.ts';
import type { Store } from '../exchanges/exchange.ts';
import { pendingEditsAtom, setPendingEditAtom } from '../drafts/message-edits.ts';
import type { Room } from '../room.ts';

/**
 * Gives a message another text: on screen at once, and back in its editor with a toast when that fails. The editor's text
 * is kept until the server has it, so that leaving the page in between loses nothing.
 */
export async function saveEdit(
  { cache, drafts }: Pick<Room, 'cache' | 'drafts'>,
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
    // Unless its editor was opened again meanwhile.
    if (current() === pending) store.set(edit, undefined);
  } catch (error) {
    showToast({ message: describeError(error, i18n.t), severity: 'error' });
  } finally {
    // Unless another text is being saved by now.
    if (current()?.text === text) store.set(setPendingEditAtom, messageId, null);
  }
}
