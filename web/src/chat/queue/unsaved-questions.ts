// Questions that wait and that the server does not have yet: they survive a reload and a missing network.
import { ALL_QUEUED_MAX, type QueuedAsk } from '@parley/schema/chat/queue';
import { useAtomValue, useStore } from 'jotai';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { refusalOf } from '../../errors/refusal.ts';
import { pause, retryDelay, untilOnline } from '../../lib/retry.ts';
import { createStoredMap } from '../../lib/stored-map.ts';
import { api, trpc } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { asDraftAttachment } from '../drafts/draft-attachments.ts';
import { useChatSession } from '../chat-session-context.tsx';

/** By their ids. */
export const unsavedQuestions = createStoredMap<QueuedAsk>({
  storageKey: 'queue',
  most: ALL_QUEUED_MAX,
  parse: (stored) => (isQueued(stored) ? stored : undefined),
});

/** Saves those of a conversation, one after the other, while it is on screen. */
export function useSaveQuestions(conversationId: string): void {
  const store = useStore();
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const { drafts } = useChatSession();
  const unsaved = Object.values(useAtomValue(unsavedQuestions.all));
  const firstId = unsaved.find((item) => item.conversationId === conversationId)?.id;

  const giveBack = useEffectEvent(({ id, text, files }: QueuedAsk) => {
    const draft = drafts.draftAtom(conversationId);
    const attachments = drafts.attachmentsAtom(conversationId);
    store.set(draft, [store.get(draft), text].filter(Boolean).join('\n\n'));
    store.set(attachments, [...store.get(attachments), ...files.map(asDraftAttachment)]);
    store.set(unsavedQuestions.entry(id), undefined);
    showToast({ message: t('com_queue_refused'), severity: 'error' });
  });

  const save = useEffectEvent(async (id: string, signal: AbortSignal) => {
    const entry = unsavedQuestions.entry(id);
    for (let attempt = 0; ; attempt++) {
      await untilOnline(signal);
      const item = store.get(entry);
      // It was sent or taken out meanwhile.
      if (!item) return;
      try {
        await api.queue.add.mutate(item, { signal });
        const newest = store.get(entry);
        if (newest && newest.text !== item.text) await api.queue.edit.mutate({ id, text: newest.text }, { signal });
        const saved = newest ?? item;
        utils.queue.list.setData(undefined, (list = []) => [...list.filter((one) => one.id !== id), saved]);
        return store.set(entry, undefined);
      } catch (error) {
        signal.throwIfAborted();
        if (refusalOf(error)) return giveBack(item);
      }
      await pause(retryDelay(attempt), signal);
    }
  });

  useEffect(() => {
    if (firstId === undefined) return;
    const leaving = new AbortController();
    // Ends by the abort when the panel leaves; it begins again with the next one.
    save(firstId, leaving.signal).catch(() => {});
    return () => leaving.abort();
  }, [firstId]);
}

function isQueued(stored: unknown): stored is QueuedAsk {
  if (typeof stored !== 'object' || stored === null) return false;
  const { id, conversationId, text, files } = stored as Partial<Record<keyof QueuedAsk, unknown>>;
  return [id, conversationId, text].every((one) => typeof one === 'string') && Array.isArray(files);
}
