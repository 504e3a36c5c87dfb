// One request of an import, with retries until the server answers.
import type { ImportLine } from '@parley/schema/transfer/results';
import { requestHeaders, session } from '../session/current-session.ts';
import type { ImportResponse, Sending } from './send-file.ts';

/** Milliseconds between attempts: about two minutes in total. */
const PAUSES = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000];

/** Repeats an attempt until it has a result. */
export type Retry = <Result>(attempt: () => Promise<Result | 'again'>, signal: AbortSignal) => Promise<Result>;

/**
 * For the user who is signed in now. Throws if the server stays unreachable. `onWaiting` gets whether a retry is
 * pending.
 */
export function createRetry(onWaiting: (isWaiting: boolean) => void): Retry {
  const userId = session.get().user?.id;

  return async (attempt, signal) => {
    for (const pause of PAUSES) {
      // A different user must not receive this user's import.
      if (session.get().user?.id !== userId) break;
      const parsed = await attempt().catch(() => 'again' as const);
      signal.throwIfAborted();
      onWaiting(parsed === 'again');
      if (parsed !== 'again') return parsed;
      await wait(pause, signal);
    }
    onWaiting(false);
    throw new Error('The server could not be reached');
  };
}

/** Sends some conversations. */
export function createPost(retry: Retry): Sending['post'] {
  return (file, signal) => retry(() => tryOnce(file, signal), signal);
}

async function tryOnce(file: Blob, signal: AbortSignal): Promise<ImportResponse | 'again'> {
  const token = await session.freshToken();
  const headers = { ...requestHeaders(token), 'content-type': 'application/json' };
  const response = await fetch('/api/import', { method: 'POST', body: file, headers, signal });
  if (response.status === 413) return 'too_large';
  if (response.status === 401) await session.refresh();
  return response.ok ? (readLines(await response.text()) ?? 'again') : 'again';
}

/** Null for a truncated response. */
function readLines(text: string): ImportResponse | null {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ImportLine);
  const last = lines.at(-1);
  return last && 'end' in last && last.fault === null ? { lines } : null;
}

/** Resolves early when the network returns. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
    function end(): void {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}
