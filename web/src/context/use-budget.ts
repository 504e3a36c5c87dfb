import type { Budget } from '@parley/schema/budget';
import { useStore } from 'jotai';
import { useEffect, useState } from 'react';
import type { DraftAtom } from '../chat/drafts/drafts.ts';
import { isProvisional } from '../chat/exchanges/send.ts';
import type { Chat } from '../chat/use-chat.ts';
import { readBudget } from './budget-wire.ts';

/** Milliseconds from the last key press to the question. */
const ASK_AFTER = 250;

/**
 * What the draft would take if it were sent now, which may be of a moment ago; null while nothing is known. Nobody is
 * asked for an empty text, nor while an answer is being written: what will be sent with the next one is not there yet.
 */
export function useBudget({ slot, addressee, path, loading, generationId }: Chat, draft: DraftAtom): Budget | null {
  const store = useStore();
  const [budget, setBudget] = useState<Budget | null>(null);
  const { conversationId } = slot;
  const { endpoint, model, settings } = addressee ?? {};
  const parentMessageId = path.findLast((node) => !isProvisional(node))?.messageId ?? null;
  const isReady = loading.status === 'ready' && generationId === null;
  useEffect(() => {
    if (!isReady || endpoint === undefined || settings === undefined) return;
    const place = { conversationId, parentMessageId, endpoint, model, settings };
    let asking = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    wait();
    const leave = store.sub(draft, wait);
    return () => {
      leave();
      clearTimeout(timer);
      asking.abort();
    };

    /** Each key, and each change of what is asked with, puts the question off. */
    function wait(): void {
      clearTimeout(timer);
      asking.abort();
      timer = setTimeout(() => void ask(), ASK_AFTER);
    }

    async function ask(): Promise<void> {
      const text = store.get(draft).trim();
      if (text === '') return setBudget(null);
      const { signal } = (asking = new AbortController());
      const told = await readBudget({ ...place, text }, signal).catch(() => null);
      if (!signal.aborted) setBudget(told);
    }
  }, [store, draft, isReady, conversationId, parentMessageId, endpoint, model, settings]);
  return isReady ? budget : null;
}
