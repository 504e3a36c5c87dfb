import { readableText, type Message } from '@parley/schema/messages/messages';
import { useEffect, useRef, useState } from 'react';
import { plainExcerpt } from '../../lib/plain-excerpt.ts';
import { api } from '../../trpc.ts';

/** Debounce in milliseconds after the last change of the visible rows. */
const ASK_AFTER_MS = 80;
/** Ids per request. */
const IDS_MAX = 100;
/** Characters that fit in a row. */
const SNIPPET_CHARS = 160;

/** The beginnings of messages, by id: of the visible ones, and of all seen before. */
export function useSnippets(conversationId: string, messageIds: readonly string[]): ReadonlyMap<string, string> {
  const [snippets, setSnippets] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = useRef(new Set<string>());
  const wanted = messageIds.filter((id) => !snippets.has(id)).slice(0, IDS_MAX);
  const key = wanted.join();

  useEffect(() => {
    const timer = setTimeout(() => void ask(), ASK_AFTER_MS);
    return () => clearTimeout(timer);

    async function ask(): Promise<void> {
      const missing = wanted.filter((id) => !asked.current.has(id));
      if (missing.length === 0) return;
      for (const id of missing) asked.current.add(id);
      try {
        const messages = await api.messages.bodies.query({ conversationId, messageIds: missing });
        const came = new Set(messages.map(({ messageId }) => messageId));
        // The others may have been too many bytes; where none comes, they are deleted.
        if (came.size > 0) for (const id of missing) if (!came.has(id)) asked.current.delete(id);
        setSnippets(
          (before) => new Map([...before, ...messages.map((one) => [one.messageId, beginningOf(one)] as const)]),
        );
      } catch {
        // The rows keep their ellipsis; the next view of them requests again.
        for (const id of missing) asked.current.delete(id);
      }
    }
    // `key` joins the ids and stands for them.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [conversationId, key]);

  return snippets;
}

function beginningOf(message: Message): string {
  const text = readableText(message);
  // A message of nothing but marks is shown by them.
  return plainExcerpt(text, SNIPPET_CHARS) || text.slice(0, SNIPPET_CHARS).toWellFormed().trim();
}
