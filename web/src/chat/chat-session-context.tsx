import type { Reason } from '@parley/schema/reasons';
import { useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { i18n } from '../i18n.ts';
import { unexpectedOf } from '../errors/reason-of.ts';
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
  void toastFailure(async () => (await import('../errors/describe-reason.ts')).describeReason(reason, i18n.t));
}

function onStopFailed(error: unknown): void {
  void toastFailure(async () => {
    const { describeError } = await import('../errors/describe-error.ts');
    return unexpectedOf(error) ? describeError(error, i18n.t) : i18n.t('com_chat_stop_failed');
  });
}

/** Without the words for it, as when the network is gone, the plain sentence. */
async function toastFailure(describe: () => Promise<string>): Promise<void> {
  const message = await describe().catch(() => i18n.t('com_error_network'));
  showToast({ message, severity: 'error' });
}
