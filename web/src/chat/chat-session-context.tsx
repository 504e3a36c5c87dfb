import type { Reason } from '@parley/schema/reasons';
import { useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { i18n } from '../i18n.ts';
import { describeError } from '../errors/describe-error.ts';
import { describeReason } from '../errors/describe-reason.ts';
import { unexpectedAnswer } from '../errors/error-reason.ts';
import { showToast } from '../ui/toast/toast.ts';
import { trpc } from '../trpc.ts';
import { createMessageCache } from './cache/message-cache.ts';
import { createChatSession, type ChatSession } from './chat-session.ts';
import { chatApi } from './exchanges/chat-api.ts';

export const ChatSessionContext = createContext<ChatSession | null>(null);

/** Provides the chat session of one user. Another user needs another provider (a `key`). */
export function ChatSessionProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const utils = trpc.useUtils();
  const client = useQueryClient();
  const store = useStore();
  const [chatSession] = useState(() =>
    createChatSession({
      userId,
      chatApi,
      store,
      cache: createMessageCache(utils, client),
      onStopFailed,
      onReadingRefused,
    }),
  );
  useEffect(() => {
    chatSession.open();
    return chatSession.close;
  }, [chatSession]);
  return <ChatSessionContext value={chatSession}>{children}</ChatSessionContext>;
}

export function useChatSession(): ChatSession {
  const chatSession = useContext(ChatSessionContext);
  if (!chatSession) throw new Error('A chat needs a ChatSessionProvider around it');
  return chatSession;
}

function onReadingRefused(reason: Reason): void {
  showToast({ message: describeReason(reason, i18n.t), severity: 'error' });
}

function onStopFailed(error: unknown): void {
  const message = unexpectedAnswer(error) ? describeError(error, i18n.t) : i18n.t('com_chat_stop_failed');
  showToast({ message, severity: 'error' });
}
