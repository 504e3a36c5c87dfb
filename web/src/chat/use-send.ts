import { useEffect, useState } from 'react';
import { canSend } from './chat-actions.ts';
import type { Chat } from './use-chat.ts';

/** Sends the text now, or as soon as what sending needs has been loaded; writing on takes that wish back. */
export function useSend(chat: Chat, text: string, onSent: () => void): () => void {
  const [wanted, setWanted] = useState<string | null>(null);

  const isDue = wanted === text && canSend(chat);

  function send(): void {
    if (chat.actions.send(text)) onSent();
    setWanted(isLoading(chat) ? text : null);
  }

  useEffect(() => {
    if (isDue) send();
    // Only that it can be sent now matters; everything else is read at that moment.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isDue]);

  return send;
}

function isLoading({ addressee, keyState, loading }: Chat): boolean {
  return addressee === undefined || keyState.status === 'loading' || loading.status === 'loading';
}
