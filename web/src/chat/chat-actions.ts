// What a person can do in a chat pane. Everything is read at the moment it is done, so that nothing acts on a screen
// that has moved on.
import { FRESH_CONVO, type Convo } from '@parley/schema/convos';
import type { Message } from '@parley/schema/messages';
import { buildTree } from '@parley/schema/tree';
import { rememberChoiceAtom } from '../endpoints/memory.ts';
import type { Addressee } from '../endpoints/use-addressee.ts';
import { branchesAtom, branchKey, chooseBranchesAtom, shownPath } from './branches.ts';
import { findRunning, type Store } from './exchange.ts';
import { handFocusToComposer } from './focus-composer.ts';
import type { Room } from './room.ts';
import { prepareAgain, prepareRegenerate, prepareSend, type Asking } from './send.ts';
import { draftKeyOf, settleSlot } from './slot.ts';
import type { ChatState } from './use-chat.ts';
import { siblingOf } from './use-thread.ts';

/** Each does nothing where it makes no sense: while an answer is being written nothing else is asked. */
export interface ChatActions {
  /** True when the text was taken. */
  send(text: string): boolean;
  /** Another answer to the question that `reply` answers. */
  regenerate(reply: Message): void;
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
      const { slot, messages, addressee } = seen;
      const trimmed = text.trim();
      if (trimmed === '' || !addressee || !canSend(seen) || !isFree()) return false;
      const shown = shownPath(buildTree(messages), store.get(branchesAtom)[slot.conversationId] ?? {});
      ask(prepareSend(slot.conversationId, shown.at(-1)?.messageId ?? null, trimmed, addressee), addressee);
      return true;
    },
    regenerate(reply) {
      const { tree, addressee } = seen;
      const request = tree.byId.get(reply.parentMessageId ?? '');
      if (request?.isCreatedByUser && addressee && isFree()) ask(prepareRegenerate(request, addressee), addressee);
    },
    retry(refusedId) {
      const { addressee } = seen;
      const refused = exchanges.findAsking(refusedId);
      if (!refused || !addressee || !isFree()) return;
      clearDraft(refused);
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
    store.set(rememberChoiceAtom, { endpoint: to.endpoint, model: to.model });
    store.set(chooseBranchesAtom, conversationId, choicesOf(asking));
    exchanges.send(asking);
    handFocusToComposer(index);
  }

  /** A refused text may be back in the box, and is not to be there once it is sent. */
  function clearDraft({ ask: { target } }: Asking): void {
    const draft = drafts.draftAtom(draftKeyOf(seen.slot));
    if (target.kind === 'send' && store.get(draft) === target.text) store.set(draft, '');
  }
}

export function canSend({ loading, addressee, generationId, blockedBy }: ChatState): boolean {
  return loading.status === 'ready' && Boolean(addressee) && generationId === null && blockedBy === null;
}

/** Shows what is new, wherever the reader was. */
function choicesOf({ request, reply }: Asking): Record<string, string> {
  return {
    [branchKey(request.parentMessageId)]: request.messageId,
    [branchKey(request.messageId)]: reply.messageId,
  };
}

/** The conversation as it will be, until the server says how it is. */
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
