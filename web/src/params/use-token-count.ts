import { asFields } from '@parley/schema/json';
import { useEffect, useState } from 'react';
import { requestHeaders, session } from '../session/current-session.ts';

/** Milliseconds from the last key press to the request. */
const ASK_AFTER_MS = 250;

/** The latest count, which may be of a slightly older text; null without one. */
export function useTokenCount(text: string): number | null {
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    if (text === '') return;
    const ending = new AbortController();
    const timer = setTimeout(() => {
      countTokens(text, ending.signal).then(setCount, () => {});
    }, ASK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [text]);
  return count;
}

/** A separate POST: the text may exceed the maximum URL length, and no other call waits for it in a batch. */
async function countTokens(text: string, signal: AbortSignal): Promise<number | null> {
  const response = await fetch('/api/tokenizer', {
    method: 'POST',
    headers: { ...requestHeaders(session.get().token), 'content-type': 'application/json' },
    body: JSON.stringify({ arg: text }),
    signal,
  });
  if (!response.ok) return null;
  const { count } = asFields(await response.json());
  return typeof count === 'number' ? count : null;
}
