// Waiting questions, and changes to them, that the server does not have yet: they survive a reload and a missing network.
import { ALL_QUEUED_MAX, type QueuedAsk } from '@parley/schema/chat/queue';
import type { QueuedTarget } from '@parley/schema/chat/queue-inputs';
import { asFields } from '@parley/schema/json';
import { useAtomValue, useStore } from 'jotai';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorRefusal } from '../../errors/refusal.ts';
import { pause, retryDelay, untilOnline } from '../../lib/retry.ts';
import { createStoredMap } from '../../lib/stored-map.ts';
import { api, trpc } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { mentionOf, mentionsAtom } from '../drafts/mention.ts';
import { asOwn } from '../drafts/draft-attachments.ts';
import type { Store } from '../../lib/jotai-store.ts';
import { useChatSession } from '../chat-session-context.tsx';
import { listExchanges, type Exchange } from '../exchanges/exchange.ts';

export interface UnsavedQuestion extends QueuedAsk {
  /** What it is asked with where a server sends it; absent while nothing is chosen. */
  target?: QueuedTarget | undefined;
  /** Milliseconds; an edit keeps it, so the order stays. */
  askedAt: number;
}

/** By their ids. */
export const unsavedQuestions = createStoredMap<UnsavedQuestion>({
  storageKey: 'queue',
  most: ALL_QUEUED_MAX,
  parse: (stored) => (isUnsaved(stored) ? stored : undefined),
});

/** `saved` with the unsaved edits, then the unsaved questions in the order of asking. */
export function withUnsaved(
  saved: readonly QueuedAsk[],
  unsaved: Readonly<Record<string, UnsavedQuestion>>,
): readonly QueuedAsk[] {
  const known = new Set(saved.map(({ id }) => id));
  const added = Object.values(unsaved).filter(({ id }) => !known.has(id));
  return [...saved.map((item) => unsaved[item.id] ?? item), ...added.toSorted((a, b) => a.askedAt - b.askedAt)];
}

/** Saves those of a conversation, one after the other, while it is on screen. */
export function useSaveQuestions(conversationId: string): void {
  const store = useStore();
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const { drafts } = useChatSession();
  const unsaved = withUnsaved([], useAtomValue(unsavedQuestions.all));
  const firstId = unsaved.find((item) => item.conversationId === conversationId)?.id;

  const giveBack = useEffectEvent(({ id, text, files, once }: QueuedAsk) => {
    const draft = drafts.draftAtom(conversationId);
    const attachments = drafts.attachmentsAtom(conversationId);
    store.set(draft, [store.get(draft), text].filter(Boolean).join('\n\n'));
    store.set(attachments, [...store.get(attachments), ...files.map(asOwn)]);
    if (once) store.set(mentionsAtom, conversationId, mentionOf(once));
    store.set(unsavedQuestions.entry(id), undefined);
    showToast({ message: t('com_queue_refused'), severity: 'error' });
  });

  /** A request goes on when the panel leaves, so its result is known. */
  async function put({ id, conversationId, text, files, target }: UnsavedQuestion): Promise<void> {
    const saved = await utils.queue.list.ensureData();
    const isSaved = saved.some((one) => one.id === id);
    if (isSaved) await api.queue.edit.mutate({ id, text });
    else await api.queue.add.mutate({ id, conversationId, text, files, ...(target && { target }) });
  }

  const save = useEffectEvent(async (id: string, signal: AbortSignal) => {
    const entry = unsavedQuestions.entry(id);
    for (let attempt = 0; ; attempt++) {
      await untilOnline(signal);
      await untilBegun(store, conversationId, signal);
      const item = store.get(entry);
      // It was sent or taken out meanwhile.
      if (!item) return;
      try {
        await put(item);
        const newest = store.get(entry);
        // It was taken out or sent meanwhile, perhaps before the server had it.
        if (!newest) return await api.queue.remove.mutate({ id });
        utils.queue.list.setData(undefined, (list = []) => withSaved(list, item));
        // A response that is on its way may be older than this change; this one replaces it.
        void utils.queue.list.invalidate();
        if (newest === item) return store.set(entry, undefined);
        // It was edited meanwhile.
        attempt = -1;
      } catch (error) {
        signal.throwIfAborted();
        if (errorRefusal(error)) return giveBack(item);
        await pause(retryDelay(attempt), signal);
      }
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

/** Milliseconds between two looks at a question that is on its way. */
const LOOK_EVERY_MS = 200;

/** Waits for a question that is on its way: the server may not have the conversation before. */
async function untilBegun(store: Store, conversationId: string, signal: AbortSignal): Promise<void> {
  const isOnItsWay = ({ status }: Exchange) => status === 'queued' || status === 'starting';
  while (listExchanges(store, conversationId).some(isOnItsWay)) await pause(LOOK_EVERY_MS, signal);
}

function withSaved(list: readonly QueuedAsk[], item: QueuedAsk): QueuedAsk[] {
  const isKnown = list.some(({ id }) => id === item.id);
  return isKnown ? list.map((one) => (one.id === item.id ? item : one)) : [...list, item];
}

function isUnsaved(stored: unknown): stored is UnsavedQuestion {
  const { id, conversationId, text, files, askedAt } = asFields(stored);
  return (
    [id, conversationId, text].every((one) => typeof one === 'string') &&
    Array.isArray(files) &&
    typeof askedAt === 'number'
  );
}
