import { endpointTable } from '@parley/schema/endpoints';
import type { Message } from '@parley/schema/messages';
import { useStore } from 'jotai';
import { useLayoutEffect, useState } from 'react';
import { useAddressee, type Addressee } from '../endpoints/use-addressee.ts';
import type { KeyState } from '../keys/key-state.ts';
import { useKeyState } from '../keys/use-key-state.ts';
import { createChatActions, type ChatActions } from './chat-actions.ts';
import { useRoom } from './room-context.tsx';
import { useSlot, useSlotIndex, type Slot } from './slot.ts';
import { useConversation, type Conversation } from './use-conversation.ts';
import { useThread, type Thread } from './thread/use-thread.ts';

/** What a chat pane shows. */
export interface ChatState extends Conversation, Thread {
  slot: Slot;
  /** Undefined while it is not known, null when there is nobody to talk to. */
  addressee: Addressee | null | undefined;
  /** Whether the addressee has the key that it is asked with. */
  keyState: KeyState;
  /** The last answer when nothing can be written under it, because it broke off or failed. */
  blockedBy: Message | null;
}

/** What a chat pane shows and does. The actions stay the same functions for as long as the pane lives. */
export interface Chat extends ChatState {
  actions: ChatActions;
}

export function useChat(): Chat {
  const slot = useSlot();
  const conversation = useConversation(slot);
  const thread = useThread(slot.conversationId, conversation);
  const addressee = useAddressee(slot.choice, conversation.convo, slot.isFresh);
  const keyState = useKeyState(addressee?.endpoint);
  const blockedBy = blockOf(conversation, thread);
  const state = { ...conversation, ...thread, slot, addressee, keyState, blockedBy };
  return { ...state, actions: useActions(state) };
}

function useActions(state: ChatState): ChatActions {
  const room = useRoom();
  const store = useStore();
  const index = useSlotIndex();
  const [pane] = useState(() => createChatActions({ room, store, index }, state));
  useLayoutEffect(() => pane.see(state));
  return pane.actions;
}

/** An answer that ended badly is to be repeated, not written under, where the endpoint can repeat it. */
function blockOf({ generationId }: Conversation, { tree, path, exchangeOf, findMessage }: Thread): Message | null {
  const last = findMessage(path.at(-1)?.messageId ?? '');
  if (!last || last.isCreatedByUser || generationId !== null || exchangeOf.has(last.messageId)) return null;
  const isBroken = last.unfinished || last.reason !== null;
  const hasQuestion = tree.byId.get(last.parentMessageId ?? '')?.isCreatedByUser;
  return isBroken && hasQuestion && endpointTable[last.endpointType].can.regenerate ? last : null;
}
