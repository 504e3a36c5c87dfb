import { NEW_CHAT, type DraftBox } from '../drafts/drafts.ts';
import type { Store } from './exchange.ts';
import type { MessageCache } from '../thread/message-cache.ts';
import type { Asking } from './send.ts';
import { unsettleSlots } from '../slot.ts';

interface Boxes {
  store: Store;
  cache: Pick<MessageCache, 'findMessages' | 'forget'>;
  drafts: DraftBox;
}

/**
 * Puts the text of an ask that was not taken back to where it was typed: into the box, or into the message that was
 * being edited. When the box was a new chat's, its slot is a new chat again. False when another text stands there.
 */
export function giveBack(boxes: Boxes, { ask, editOf }: Asking): boolean {
  const { target } = ask;
  switch (target.kind) {
    case 'send':
      return editOf === undefined
        ? giveBackToBox(boxes, ask.conversationId, target)
        : giveBackToEdit(boxes, editOf, target.text);
    case 'edit':
      return giveBackToEdit(boxes, target.messageId, target.text);
    case 'regenerate':
    case 'continue':
      return true;
    default:
      return target satisfies never;
  }
}

function giveBackToEdit({ store, drafts }: Boxes, messageId: string, text: string): boolean {
  const edit = drafts.editAtom(messageId);
  if (store.get(edit) !== undefined) return false;
  store.set(edit, text);
  return true;
}

function giveBackToBox(
  { store, cache, drafts }: Boxes,
  conversationId: string,
  { parentMessageId, text }: { parentMessageId: string | null; text: string },
): boolean {
  const isFirst = parentMessageId === null && !cache.findMessages(conversationId)?.length;
  const draft = drafts.draftAtom(isFirst ? NEW_CHAT : conversationId);
  if (store.get(drafts.draftAtom(conversationId)) !== '' || store.get(draft) !== '') return false;
  store.set(draft, text);
  if (isFirst) {
    unsettleSlots(store, conversationId);
    cache.forget(conversationId);
  }
  return true;
}
