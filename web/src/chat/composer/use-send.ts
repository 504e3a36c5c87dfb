import { atom, useAtomValue, useStore } from 'jotai';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { canSend } from '../can-send.ts';
import { areUploaded, areUploading, uploadedAttachments, type AttachmentsAtom } from '../drafts/draft-attachments.ts';
import type { DraftAtom } from '../drafts/draft-store.ts';
import { mentionsAtom } from '../drafts/mention.ts';
import { researchAtom } from '../drafts/research.ts';
import { moveFocusToComposer } from '../../slots/focus-composer.ts';
import { draftKeyOf, slotAtom, useSlotIndex } from '../../slots/slot.ts';
import { needsKey } from '../../keys/key-state.ts';
import { enqueue, isQueueOpen, whenQueueOpens } from '../queue/enqueue.ts';
import { askAllAtom, plannedAtom } from '../columns/planned.ts';
import type { Chat } from '../use-chat.ts';

/**
 * Sends the draft now, or as soon as the data for sending has loaded and its files are uploaded. Every change of the
 * draft cancels the pending send, and so does a missing requirement: the question must not go out unexpectedly once
 * that is fixed. While files are being uploaded, a second call cancels it too. While a reply is in progress the draft
 * joins the queue.
 */
export function useSend(chat: Chat, draft: DraftAtom, attachments: AttachmentsAtom) {
  const store = useStore();
  const index = useSlotIndex();
  const draftKey = draftKeyOf(chat.slot);
  const [wanted, setWanted] = useState<string | null>(null);

  const question = useMemo(() => questionAtom(draft, attachments), [draft, attachments]);

  const isCompared = useIsCompared(chat);
  const askAll = useAtomValue(askAllAtom)[index];
  const isReady = !isLoading(chat) && !(isCompared && !askAll);
  const isHopeless = isReady && !canSend(chat) && chat.generationId === null;
  if (wanted !== null && (isHopeless || wanted !== store.get(question))) setWanted(null);
  useEffect(
    () => (wanted === null ? undefined : store.sub(question, () => setWanted(null))),
    [wanted, store, question],
  );
  const isDue = wanted !== null && isReady && areUploaded(store.get(attachments));

  function send(isAnyway = false): void {
    // The current text, which may be newer than the rendered one.
    const typed = store.get(draft);
    const attached = store.get(attachments);
    if (!areUploaded(attached))
      return setWanted(wanted === null && areUploading(attached) ? store.get(question) : null);
    const files = uploadedAttachments(attached);
    const mention = store.get(mentionsAtom)[draftKey];
    const isResearch = store.get(researchAtom).includes(draftKey);
    const isHere = () => store.get(slotAtom(index)).conversationId === chat.slot.conversationId;
    // The queue's code loads later than the first reply may begin.
    if (chat.generationId !== null && !isQueueOpen(index))
      whenQueueOpens(index, () => isHere() && store.get(draft) === typed && send(isAnyway));
    // What waits is asked as it is: a research is begun by its person.
    const isQueued = () => !isResearch && chat.generationId !== null && enqueue(index, typed, files, mention);
    const sendNow = () =>
      isCompared
        ? askAll?.(typed, files, mention)
        : chat.actions.send(typed, files, { isAnyway, once: mention, isResearch });
    if (sendNow() || isQueued()) {
      store.set(draft, '');
      store.set(attachments, []);
      if (mention) store.set(mentionsAtom, draftKey, null);
      if (isResearch) store.set(researchAtom, draftKey, false);
      moveFocusToComposer(index);
    }
    setWanted(isReady ? null : store.get(question));
  }

  const sendDue = useEffectEvent(() => isDue && send());
  // Depends only on whether sending is possible; reads the rest when it sends.
  useEffect(() => void sendDue(), [isDue]);

  return { send, isWaiting: wanted !== null && areUploading(store.get(attachments)) };
}

/** Whether the question goes to several models. */
function useIsCompared({ convo, slot }: Chat): boolean {
  const hasPlanned = draftKeyOf(slot) in useAtomValue(plannedAtom);
  return Boolean(convo?.columns) || hasPlanned;
}

/** Changes with the text and the files, and when a file cannot be sent any more; not while uploads go on. */
function questionAtom(draft: DraftAtom, attachments: AttachmentsAtom) {
  return atom((get) =>
    [get(draft), ...get(attachments).map(({ id, failure, isGone }) => !failure && !isGone && id)].join('\n'),
  );
}

function isLoading({ modelTarget, keyState, assistantState, loading }: Chat): boolean {
  return (
    modelTarget === undefined ||
    [assistantState, keyState, loading].some(({ status }) => status === 'loading') ||
    (needsKey(keyState) && keyState.isRereading)
  );
}
