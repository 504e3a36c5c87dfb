import { useEffect, useState } from 'react';
import { canSend } from './chat-actions.ts';
import type { Chat } from './use-chat.ts';

/** Sends the text now, or as soon as what sending needs has been loaded; writing on takes that wish back. */
export function useSend(chat: Chat, text: string, onSent: () => void): () => void {
  const [wanted, setWanted] = useState<string | null>(null);

  function send(): void {
    if (chat.actions.send(text)) onSent();
    else if (isLoading(chat)) setWanted(text);
  }

  useEffect(() => {
    if (wanted === null) return;
    if (wanted !== text) setWanted(null);
    else if (canSend(chat)) {
      setWanted(null);
      send();
    }
  });

  return send;
}

function isLoading({ addressee, loading }: Chat): boolean {
  return addressee === undefined || loading.status === 'loading';
}
