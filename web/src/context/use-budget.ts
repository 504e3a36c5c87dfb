import type { Budget } from '@parley/schema/budget';
import { useEffect, useState } from 'react';
import { isProvisional } from '../chat/exchanges/send.ts';
import type { Chat } from '../chat/use-chat.ts';
import { readBudget } from './budget-wire.ts';

/** Milliseconds from the last key press to the question. */
const ASK_AFTER = 250;

/**
 * What the text would take if it were sent now, which may be of a moment ago; null while nothing is known. Nobody is
 * asked for an empty text, nor while an answer is being written: what will be sent with the next one is not there yet.
 */
export function useBudget({ slot, addressee, path, loading, generationId }: Chat, text: string): Budget | null {
  const [budget, setBudget] = useState<Budget | null>(null);
  const { conversationId } = slot;
  const { endpoint, model, settings } = addressee ?? {};
  const parentMessageId = path.findLast((node) => !isProvisional(node))?.messageId ?? null;
  const question = text.trim();
  const isReady = question !== '' && loading.status === 'ready' && generationId === null;
  useEffect(() => {
    if (!isReady || endpoint === undefined || settings === undefined) return;
    const ending = new AbortController();
    const input = { conversationId, parentMessageId, endpoint, model, settings, text: question };
    const timer = setTimeout(() => {
      readBudget(input, ending.signal).then(setBudget, () => {
        if (!ending.signal.aborted) setBudget(null);
      });
    }, ASK_AFTER);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [isReady, conversationId, parentMessageId, endpoint, model, settings, question]);
  return isReady ? budget : null;
}
