// Questions that wait and that the server does not have yet: they survive a reload and a missing network.
import { ALL_QUEUED_MAX, type QueuedAsk } from '@parley/schema/chat/queue';
import { useAtomValue, useStore } from 'jotai';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { refusalOf } from '../../errors/refusal.ts';
import { pause, retryDelay, untilOnline } from '../../lib/retry.ts';
import { createStoredMap } from '../../lib/stored-map.ts';
import { api, trpc } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.tsx';
import { useChatSession } from '../chat-session-context.tsx';

/** By their ids. */
export const unsavedQuestions = createStoredMap<QueuedAsk>({
  storageKey: 'queue',
  most: ALL_QUEUED_MAX,
  parse: (stored) => (isQueued(stored) ? stored : undefined),
});

/** Saves them, one after the other, for as long as the page lives. */
export function useSaveQuestions(): void {
  const store = useStore();
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const { drafts } = useChatSession();
  const unsaved = useAtomValue(unsavedQuestions.all);
  const firstId = Object.keys(unsaved)[0];

  const save = useEffectEvent(async (id: string, signal: AbortSignal) => {
    const entry = unsavedQuestions.entry(id);
    for (let attempt = 0; ; attempt++) {
      await untilOnline(signal);
      const item = store.get(entry);
      // It was sent or taken out meanwhile.
      if (!item) return;
      try {
        await api.queue.add.mutate(item, { signal });
        utils.queue.list.setData(undefined, (list = []) => [...list.filter((one) => one.id !== id), item]);
        return store.set(entry, undefined);
      } catch (error) {
        signal.throwIfAborted();
        if (refusalOf(error)) return giveBack(item);
      }
      await pause(retryDelay(attempt), signal);
    }
  });

  function giveBack({ id, conversationId, text }: QueuedAsk): void {
    const draft = drafts.draftAtom(conversationId);
    store.set(draft, [store.get(draft), text].filter(Boolean).join('\n\n'));
    store.set(unsavedQuestions.entry(id), undefined);
    showToast({ message: t('com_queue_refused'), severity: 'error' });
  }

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
