import type { Budget, BudgetInput } from '@parley/schema/chat/budget';
import { useStore } from 'jotai';
import { useEffect, useState } from 'react';
import type { AppRouter } from '@parley/server/router';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { uploadedAttachments, type AttachmentsAtom } from '../drafts/draft-attachments.ts';
import type { DraftAtom } from '../drafts/draft-store.ts';
import { isProvisional } from '../exchanges/prepare-ask.ts';
import type { Chat } from '../use-chat.ts';
import { requestHeaders, session } from '../../session/current-session.ts';

/** Debounce in milliseconds after the last key press. */
const ASK_AFTER_MS = 250;

/**
 * The budget for sending the draft now with the files that are uploaded; may lag a moment behind, null while unknown.
 * Makes no request for an empty draft, nor while a reply is in progress: that reply will be part of the next context.
 */
export function useBudget(
  { slot, modelTarget, path, loading, generationId }: Chat,
  draft: DraftAtom,
  attachments: AttachmentsAtom,
): Budget | null {
  const store = useStore();
  const [budget, setBudget] = useState<Budget | null>(null);
  const { conversationId } = slot;
  const { endpoint, model, settings } = modelTarget ?? {};
  const parentMessageId = path.findLast((node) => !isProvisional(node))?.messageId ?? null;
  const isReady = loading.status === 'ready' && generationId === null;
  useEffect(() => {
    if (!isReady || endpoint === undefined || settings === undefined) return;
    const target = { conversationId, parentMessageId, endpoint, model, settings };
    let reading = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    wait();
    const leave = [store.sub(draft, wait), store.sub(attachments, wait)];
    return () => {
      for (const end of leave) end();
      clearTimeout(timer);
      reading.abort();
    };

    /** Each key press, and each change of the request, restarts the delay. */
    function wait(): void {
      clearTimeout(timer);
      reading.abort();
      timer = setTimeout(() => void ask(), ASK_AFTER_MS);
    }

    async function ask(): Promise<void> {
      const text = store.get(draft).trim();
      const files = uploadedAttachments(store.get(attachments)).map(({ fileId }) => fileId);
      if (text === '' && files.length === 0) return setBudget(null);
      const { signal } = (reading = new AbortController());
      const reported = await readBudget({ ...target, text, ...(files.length > 0 && { files }) }, signal).catch(
        () => null,
      );
      if (!signal.aborted) setBudget(reported);
    }
  }, [store, draft, attachments, isReady, conversationId, parentMessageId, endpoint, model, settings]);
  return isReady ? budget : null;
}

// A separate client: sends a POST, because a question can be longer than a URL, and keeps the request out of the app's
// batches. It uses a batch link of size one, because that link is already bundled.
const client = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: '/trpc',
      maxItems: 1,
      methodOverride: 'POST',
      headers: () => requestHeaders(session.get().token),
    }),
  ],
});

/** The share of its model's context window that a question would take. */
function readBudget(input: BudgetInput, signal: AbortSignal): Promise<Budget> {
  return client.messages.budget.query(input, { signal });
}
