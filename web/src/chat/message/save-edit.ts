import type { Message } from '@parley/schema/messages';
import { i18n } from '../../i18n.ts';
import { describeError } from '../../lib/describe-error.ts';
import { showToast } from '../../lib/toast.tsx';
import { api } from '../../trpc.ts';
import type { Store } from '../exchanges/exchange.ts';
import { setPendingEditAtom } from '../drafts/message-edits.ts';
import type { Room } from '../room.ts';

/** Gives a message another text: on screen at once, and back in its editor with a toast when that fails. */
export async function saveEdit(
  { cache, drafts }: Pick<Room, 'cache' | 'drafts'>,
  store: Store,
  { conversationId, messageId }: Message,
  text: string,
): Promise<void> {
  const edit = drafts.editAtom(messageId);
  store.set(setPendingEditAtom, messageId, text);
  store.set(edit, undefined);
  try {
    cache.putMessages(conversationId, [await api.messages.edit.mutate({ conversationId, messageId, text })]);
  } catch (error) {
    if (store.get(edit) === undefined) store.set(edit, text);
    showToast({ message: describeError(error, i18n.t), severity: 'error' });
  } finally {
    store.set(setPendingEditAtom, messageId, null);
  }
}
