// What a person can do in a chat pane. Everything is read at the moment it is done, so that nothing acts on a screen
// that has moved on.
import type { Convo } from '@parley/schema/convos';
import { FRESH_CONVO } from '@parley/schema/fresh-convo';
import type { Message } from '@parley/schema/messages';
import { rememberBing } from '../bing/last-settings.ts';
import { rememberChoiceAtom } from '../endpoints/memory.ts';
import type { Addressee } from '../endpoints/use-addressee.ts';
import { wantsKey } from '../keys/key-state.ts';
import { branchesAtom, branchKey, chooseBranchesAtom, shownPath } from './thread/branches.ts';
import { findRunning, type Store } from './exchanges/exchange.ts';
import { handFocusToComposer } from './composer/focus-composer.ts';
import type { Room } from './room.ts';
import {
  prepareAgain,
  prepareContinue,
  prepareEdit,
  prepareRegenerate,
  prepareSend,
  type Asking,
} from './exchanges/send.ts';
import { draftKeyOf, settleSlot } from './slot.ts';
import type { ChatState } from './use-chat.ts';
import { siblingOf } from './thread/use-thread.ts';

/** Each does nothing where it makes no sense: while an answer is being written nothing else is asked. */
export interface ChatActions {
  /** True when the text was taken. */
  send(text: string): boolean;
  /** Another answer to a question, or to the one that an answer answers. */
  regenerate(message: Message): void;
  /** More of a reply that ended before it was finished. */
  continueReply(reply: Message): void;
  /** Asks the edited question beside the old one, or has the edited answer go on beside the old one. True when taken. */
  submitEdit(message: Message, text: string): boolean;
  /** Asks again what the server refused. */
  retry(generationId: string): void;
  stop(): void;
  /** Shows the sibling `step` places away from `message`. */
  turn(message: Message, step: number): void;
}

interface Deps {
  room: Room;
  store: Store;
  /** Of the slot. */
  index: number;
}

/** The actions of a pane; `see` tells them what is on screen now. */
export function createChatActions({ room, store, index }: Deps, first: ChatState) {
  const { exchanges, cache, drafts } = room;
  let seen = first;

  const actions: ChatActions = {
    send(text) {
      const { slot, stored, addressee } = seen;
      const trimmed = text.trim();
      if (trimmed === '' || !addressee || !canSend(seen) || !isFree()) return false;
      const shown = shownPath(stored.tree, store.get(branchesAtom)[slot.conversationId] ?? {});
      ask(prepareSend(slot.conversationId, shown.at(-1)?.messageId ?? null, trimmed, addressee), addressee);
      return true;
    },
    regenerate(message) {
      const { tree, addressee } = seen;
      const question = tree.byId.get((message.isCreatedByUser ? message.messageId : message.parentMessageId) ?? '');
      if (!question?.isCreatedByUser || !addressee || !isFree()) return;
      const request = message.isCreatedByUser ? message : questionOf(message);
      ask(prepareRegenerate(question.messageId, request, addressee), addressee);
    },
    continueReply(reply) {
      const { addressee } = seen;
      if (addressee && isFree()) ask(prepareContinue(questionOf(reply), reply, addressee), addressee);
    },
    submitEdit(message, text) {
      const { addressee } = seen;
      if (text.trim() === '' || !addressee || !isFree()) return false;
      ask(prepareEdited(message, text, addressee), addressee);
      return true;
    },
    retry(refusedId) {
      const { addressee } = seen;
      const refused = exchanges.findAsking(refusedId);
      if (!refused || !addressee || !isFree()) return;
      clearGivenBack(refused);
      ask(prepareAgain(refused, addressee), addressee);
    },
    stop() {
      const { generationId } = seen;
      if (generationId !== null) void exchanges.stop(generationId);
    },
    turn(message, step) {
      const { slot, tree } = seen;
      const sibling = siblingOf(tree, message, step);
      if (!sibling) return;
      const parent = tree.byId.get(message.parentMessageId ?? '');
      const key = branchKey(parent && parent.seq < message.seq ? parent.messageId : null);
      store.set(chooseBranchesAtom, slot.conversationId, { [key]: sibling.messageId });
    },
  };
  return { actions, see: (state: ChatState) => void (seen = state) };

  /** The screen may be a moment behind: a second click comes sooner than the next picture. */
  function isFree(): boolean {
    const { slot, generationId } = seen;
    return generationId === null && !findRunning(store, slot.conversationId);
  }

  function ask(asking: Asking, to: Addressee): void {
    const { conversationId } = asking.ask;
    exchanges.dismissFailed(conversationId);
    if (seen.slot.isFresh) {
      cache.begin(provisionalConvo(asking, to));
      settleSlot(store, index);
    }
    store.set(rememberChoiceAtom, to);
    rememberBing(to.endpointType, to.settings);
    store.set(chooseBranchesAtom, conversationId, choicesOf(asking));
    exchanges.send(asking);
    handFocusToComposer(index);
  }

  function prepareEdited(message: Message, text: string, to: Addressee): Asking {
    const { conversationId, messageId, parentMessageId } = message;
    if (!message.isCreatedByUser) return prepareEdit(questionOf(message), message, text, to);
    return { ...prepareSend(conversationId, parentMessageId, text.trim(), to), editOf: messageId };
  }

  /** What `reply` stands under; itself where that is nothing or not loaded, since an exchange shows two messages. */
  function questionOf(reply: Message): Message {
    return seen.findMessage(reply.parentMessageId ?? '') ?? reply;
  }

  /** A refused text may be back where it was typed, and is not to be there once it is sent. */
  function clearGivenBack({ ask: { target }, editOf }: Asking): void {
    if (target.kind !== 'send' && target.kind !== 'edit') return;
    if (editOf !== undefined) {
      const edit = drafts.editAtom(editOf);
      if (store.get(edit) === target.text) store.set(edit, undefined);
      return;
    }
    const draft = drafts.draftAtom(draftKeyOf(seen.slot));
    if (store.get(draft) === target.text) store.set(draft, '');
  }
}

export function canSend({ loading, addressee, keyState, generationId, blockedBy }: ChatState): boolean {
  const isReady = loading.status === 'ready' && Boolean(addressee) && keyState.status !== 'loading';
  return isReady && !wantsKey(keyState) && generationId === null && blockedBy === null;
}

/** Shows what is new, wherever the reader was. */
function choicesOf({ request, reply }: Asking): Record<string, string> {
  return {
    [branchKey(request.parentMessageId)]: request.messageId,
    [branchKey(reply.parentMessageId)]: reply.messageId,
  };
}

/**
 * The conversation as it will be, until the server says how it is. Spelt out, because what the schema has along with it
 * would weigh on the first screen.
 */
function provisionalConvo({ ask, request }: Asking, to: Addressee): Convo {
  return {
    ...FRESH_CONVO,
    conversationId: ask.conversationId,
    endpoint: to.endpoint,
    endpointType: to.endpointType,
    model: to.model,
    settings: to.settings,
    createdAt: request.createdAt,
    updatedAt: request.createdAt,
  };
}
