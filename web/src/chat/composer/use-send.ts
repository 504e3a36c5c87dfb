import { useStore } from 'jotai';
import { useEffect, useState } from 'react';
import { canSend } from '../chat-actions.ts';
import type { DraftAtom } from '../drafts/drafts.ts';
import type { Chat } from '../use-chat.ts';

/**
 * Sends the draft now, or as soon as what sending needs has been loaded. Writing on takes that wish back, and so does
 * what turns out to be missing: a text must not go out by surprise when that is mended.
 */
export function useSend(chat: Chat, draft: DraftAtom): () => void {
  const store = useStore();
  const [wanted, setWanted] = useState<string | null>(null);

  const isDue = wanted !== null && wanted === store.get(draft) && canSend(chat);
  const isHopeless = !isLoading(chat) && !canSend(chat);
  if (wanted !== null && (isHopeless || wanted !== store.get(draft))) setWanted(null);
  useEffect(() => (wanted === null ? undefined : store.sub(draft, () => setWanted(null))), [wanted, store, draft]);

  function send(): void {
    // The text as it is now, not as it was drawn.
    const typed = store.get(draft);
    if (chat.actions.send(typed)) store.set(draft, '');
    setWanted(isLoading(chat) ? typed : null);
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
