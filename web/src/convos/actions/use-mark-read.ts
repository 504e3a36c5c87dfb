import { useEffect, useRef, useSyncExternalStore } from 'react';
import { trpc } from '../../trpc.ts';
import { useOpenConvo } from '../open-convo.ts';

/** Marks the open conversation as read while it is visible, once for each change of its messages. */
export function useMarkRead(): void {
  const convo = useOpenConvo();
  const isVisible = useSyncExternalStore(watchVisibility, () => document.visibilityState === 'visible');
  const { mutate } = trpc.convos.markRead.useMutation();
  // A conversation that its reader marks as unread stays so while it is open.
  const seen = useRef('');
  const { conversationId, messagesSeq, isUnread } = convo ?? {};

  useEffect(() => {
    if (conversationId === undefined || messagesSeq === undefined) {
      // Left: opening it again reads it.
      seen.current = '';
      return;
    }
    if (!isVisible) return;
    const now = `${conversationId} ${messagesSeq}`;
    if (isUnread && seen.current !== now) mutate({ conversationId, messagesSeq });
    seen.current = now;
  }, [conversationId, messagesSeq, isUnread, isVisible, mutate]);
}

function watchVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}
