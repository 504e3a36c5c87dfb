import { useStore } from 'jotai';
import { useEffect, useState } from 'react';
import { canSend } from '../chat-actions.ts';
import { areUploaded, uploadedOf, type AttachmentsAtom } from '../drafts/draft-attachments.ts';
import type { DraftAtom } from '../drafts/draft-store.ts';
import { slotAtom, useSlotIndex } from '../../slots/slot.ts';
import { enqueue, isQueueOpen, whenQueueOpens } from '../queue/enqueue.ts';
import type { Chat } from '../use-chat.ts';

/**
 * Sends the draft now, or as soon as the data for sending has loaded. Typing cancels the pending send, and so does a
 * missing requirement: the text must not go out unexpectedly once that is fixed. Nothing goes out without a file that
 * is still being uploaded, or whose upload failed. While an answer is in progress the draft joins the queue.
 */
export function useSend(chat: Chat, draft: DraftAtom, attachments: AttachmentsAtom): (isAnyway?: boolean) => void {
  const store = useStore();
  const index = useSlotIndex();
  const [wanted, setWanted] = useState<string | null>(null);

  const isDue = wanted !== null && wanted === store.get(draft) && canSend(chat);
  const isHopeless = !isLoading(chat) && !canSend(chat);
  if (wanted !== null && (isHopeless || wanted !== store.get(draft))) setWanted(null);
  useEffect(() => (wanted === null ? undefined : store.sub(draft, () => setWanted(null))), [wanted, store, draft]);

  function send(isAnyway = false): void {
    // The current text, which may be newer than the rendered one.
    const typed = store.get(draft);
    const attached = store.get(attachments);
    if (!areUploaded(attached)) return;
    const files = uploadedOf(attached);
    const isHere = () => store.get(slotAtom(index)).conversationId === chat.slot.conversationId;
    // The queue's code loads later than the first answer may begin.
    if (chat.generationId !== null && !isQueueOpen(index))
      whenQueueOpens(index, () => isHere() && store.get(draft) === typed && send(isAnyway));
    if (chat.actions.send(typed, files, { isAnyway }) || (chat.generationId !== null && enqueue(index, typed, files))) {
      store.set(draft, '');
      store.set(attachments, []);
    }
    setWanted(isLoading(chat) ? typed : null);
  }

  useEffect(() => {
    if (isDue) send();
    // Depends only on whether sending is possible; reads the rest when it sends.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isDue]);

  return send;
}

function isLoading({ modelTarget, keyState, assistantState, loading }: Chat): boolean {
  return (
    assistantState.status === 'loading' ||
    modelTarget === undefined ||
    keyState.status === 'loading' ||
    loading.status === 'loading'
  );
}
