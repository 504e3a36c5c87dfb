import { endpointTable } from '@parley/schema/catalog/endpoints';
import type { Message } from '@parley/schema/messages/messages';
import { useStore } from 'jotai';
import { useLayoutEffect, useState } from 'react';
import { isOffered } from '../catalog/choose-model.ts';
import { useAssistantState, type AssistantState } from '../endpoints/assistants/assistant-state.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { useModelTarget } from './use-model-target.ts';
import { useKeyState } from '../keys/use-key-state.ts';
import { createChatActions, type ChatActions } from './chat-actions.ts';
import { useChatSession } from './chat-session-context.tsx';
import { useSlot, useSlotIndex } from '../slots/slot.ts';
import { useConversation, type Conversation } from './use-conversation.ts';
import { useThread, type Thread } from './thread/use-thread.ts';
import type { ChatState } from './chat-state.ts';

/** The state and actions of a chat pane. The actions stay the same functions for the pane's lifetime. */
export interface Chat extends ChatState {
  actions: ChatActions;
}

export function useChat(): Chat {
  const slot = useSlot();
  const conversation = useConversation(slot);
  const thread = useThread(slot.conversationId, conversation);
  const modelTarget = useModelTarget(slot.choice, conversation.convo, slot.isNewChat);
  const keyState = useKeyState(modelTarget?.endpoint);
  const assistantState = useAssistantState(modelTarget);
  const isModelGone = useIsModelGone(modelTarget, assistantState);
  const blockedBy = blockOf(conversation, thread);
  const state = { ...conversation, ...thread, slot, modelTarget, isModelGone, keyState, assistantState, blockedBy };
  return { ...state, actions: useActions(state) };
}

function useActions(state: ChatState): ChatActions {
  const chatSession = useChatSession();
  const store = useStore();
  const index = useSlotIndex();
  const [pane] = useState(() => createChatActions({ chatSession, store, index }, state));
  useLayoutEffect(() => pane.update(state));
  return pane.actions;
}

/** Assistants have a model of their own. */
function useIsModelGone(modelTarget: ChatState['modelTarget'], { status }: AssistantState): boolean {
  const catalog = useCatalog();
  return Boolean(modelTarget && catalog && status === 'unneeded' && !isOffered(modelTarget, catalog));
}

/** A failed or incomplete reply must be retried before more can be written, where the endpoint can retry. */
function blockOf(
  { generationId, convo }: Conversation,
  { tree, path, exchangeOf, findMessage }: Thread,
): Message | null {
  if (convo?.columns) return null;
  const last = findMessage(path.at(-1)?.messageId ?? '');
  if (!last || last.isCreatedByUser || generationId !== null || exchangeOf.has(last.messageId)) return null;
  const isBroken = last.unfinished || last.reason !== null;
  const hasQuestion = tree.byId.get(last.parentMessageId ?? '')?.isCreatedByUser;
  return isBroken && hasQuestion && endpointTable[last.endpointType].can.regenerate ? last : null;
}
