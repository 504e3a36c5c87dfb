import { textOf, type Message } from '@parley/schema/messages';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../trpc.ts';

/** Milliseconds that the rows in view have to stay the same before they are asked for. */
const ASK_AFTER = 80;
/** What one question may ask for. */
const MOST = 100;
/** Characters that a row has room for. */
const LENGTH = 160;

/** How messages begin, by id; of those on screen, and of all that were on it before. */
export function useSnippets(conversationId: string, messageIds: readonly string[]): ReadonlyMap<string, string> {
  const [snippets, setSnippets] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = useRef(new Set<string>());
  const wanted = messageIds.filter((id) => !snippets.has(id)).slice(0, MOST);
  const key = wanted.join();

  useEffect(() => {
    const timer = setTimeout(() => void ask(), ASK_AFTER);
    return () => clearTimeout(timer);

    async function ask(): Promise<void> {
      const missing = wanted.filter((id) => !asked.current.has(id));
      if (missing.length === 0) return;
      for (const id of missing) asked.current.add(id);
      try {
        const messages = await api.messages.bodies.query({ conversationId, messageIds: missing });
        setSnippets(
          (before) => new Map([...before, ...messages.map((one) => [one.messageId, beginningOf(one)] as const)]),
        );
      } catch {
        // The rows keep their dots; another look asks again.
        for (const id of missing) asked.current.delete(id);
      }
    }
    // The ids as one string say what is wanted.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [conversationId, key]);

  return snippets;
}

function beginningOf(message: Message): string {
  return textOf(message).slice(0, LENGTH).toWellFormed().replace(/\s+/g, ' ').trim();
}
