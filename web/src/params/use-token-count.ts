import { useEffect, useState } from 'react';
import { requestHeaders, session } from '../auth/current.ts';

/** Milliseconds from the last key press to the question. */
const ASK_AFTER = 250;

/** The newest count that came, which may be of a text a moment ago; null while there is none. */
export function useTokenCount(text: string): number | null {
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    if (text === '') return;
    const ending = new AbortController();
    const timer = setTimeout(() => {
      countTokens(text, ending.signal).then(setCount, () => {});
    }, ASK_AFTER);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [text]);
  return count;
}

/** By a POST of its own: a question may be longer than an address can be, and none of the app's calls waits for it. */
async function countTokens(text: string, signal: AbortSignal): Promise<number | null> {
  const response = await fetch('/api/tokenizer', {
    method: 'POST',
    headers: { ...requestHeaders(session.get().token), 'content-type': 'application/json' },
    body: JSON.stringify({ arg: text }),
    signal,
  });
  if (!response.ok) return null;
  const { count } = (await response.json()) as { count?: unknown };
  return typeof count === 'number' ? count : null;
}
