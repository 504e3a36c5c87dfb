// Tells the service at RAG_API_URL which files were deleted.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { logError } from '../platform/log-error.ts';
import type { Timings } from '../timings.ts';
import type { RagApi } from './rag-api.ts';

/** Beside the first; each pause is four times the last. */
const RETRIES = 4;
const RETRY_FACTOR = 4;
/** For the calls that run at a shutdown. */
const CLOSE_MS = 2000;

/** Calls are repeated while the service fails; what it could not be told when all have failed is in the log. */
export function createRagForgetting(
  api: Pick<RagApi, 'remove'>,
  log: Logger,
  { indexRetryMs }: Pick<Timings, 'indexRetryMs'>,
) {
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  return { forget, close };

  function forget(userId: string, fileIds: readonly string[]): void {
    if (fileIds.length === 0) return;
    const call = remove(userId, fileIds).finally(() => running.delete(call));
    running.add(call);
  }

  async function remove(userId: string, fileIds: readonly string[]): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        return await api.remove(userId, fileIds, closing.signal);
      } catch (error) {
        if (tries === RETRIES || closing.signal.aborted) {
          logError(log, error, { event: 'index.failed', userId });
          log.warn({ event: 'index.failed', userId, fileIds }, 'The service at RAG_API_URL still has deleted files');
          return;
        }
      }
      await sleep(indexRetryMs * RETRY_FACTOR ** tries, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  async function close(): Promise<void> {
    const late = setTimeout(() => closing.abort(), CLOSE_MS);
    await Promise.all(running);
    clearTimeout(late);
  }
}
