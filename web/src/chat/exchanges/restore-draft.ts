import { messageAttachments } from '@parley/schema/messages/messages';
import { asOwn } from '../drafts/draft-attachments.ts';
import { mentionsAtom } from '../drafts/mention.ts';
import { type DraftStore } from '../drafts/draft-store.ts';
import type { MessageCache } from '../cache/message-cache.ts';
import { plannedAtom, plannedTarget } from '../columns/planned.ts';
import type { PendingAsk } from './prepare-ask.ts';
import { revertToNewChat } from '../../slots/slot.ts';
import { NEW_CHAT } from '../../slots/new-chat.ts';
import type { Store } from '../../lib/jotai-store.ts';

interface RestoreDeps {
  store: Store;
  cache: Pick<MessageCache, 'findMessages' | 'forget'>;
  drafts: DraftStore;
}

/**
 * Restores the text, the files and the `@` of a refused ask to where the user typed it: the conversation's draft or the message
 * editor. If it was the first message, its slot becomes a new chat again. False when another text or file is there.
 */
export function restoreDraft(deps: RestoreDeps, pendingAsk: PendingAsk): boolean {
  const { editOf } = pendingAsk;
  const { target } = pendingAsk.ask;
  switch (target.kind) {
    case 'send':
      return editOf === undefined
        ? restoreToComposer(deps, pendingAsk, target)
        : restoreToEdit(deps, editOf, target.text);
    case 'edit':
      return restoreToEdit(deps, target.messageId, target.text);
    case 'regenerate':
    case 'continue':
    case 'resume':
      return true;
    default:
      return target satisfies never;
  }
}

function restoreToEdit({ store, drafts }: RestoreDeps, messageId: string, text: string): boolean {
  const edit = drafts.editAtom(messageId);
  if (store.get(edit) !== undefined) return false;
  store.set(edit, text);
  return true;
}

function restoreToComposer(
  { store, cache, drafts }: RestoreDeps,
  { request, mention, others }: PendingAsk,
  { parentMessageId, text }: { parentMessageId: string | null; text: string },
): boolean {
  const { conversationId } = request;
  const isFirst = parentMessageId === null && !cache.findMessages(conversationId)?.length;
  const key = isFirst ? NEW_CHAT : conversationId;
  const isFilled = (one: string) =>
    store.get(drafts.draftAtom(one)) !== '' || store.get(drafts.attachmentsAtom(one)).length > 0;
  if (isFilled(conversationId) || isFilled(key)) return false;
  store.set(drafts.draftAtom(key), text);
  store.set(drafts.attachmentsAtom(key), messageAttachments(request).map(asOwn));
  if (mention) store.set(mentionsAtom, key, mention);
  // Columns that stand already get a question each; who was picked for one question is picked again.
  const arePicked = others?.every((other) => other.request.messageId === request.messageId);
  if (others && arePicked)
    store.set(
      plannedAtom,
      key,
      others.map(({ ask, request: { endpointType } }) => plannedTarget(ask, endpointType)),
    );
  if (isFirst) {
    revertToNewChat(store, conversationId);
    cache.forget(conversationId);
  }
  return true;
}
