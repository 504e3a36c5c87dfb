// Stop requests without a response, kept in local storage, so that neither a lost connection nor a reload loses one.
// One key each, because two tabs may write at the same moment.
import { keysWith, removeStored, writeText } from '../../lib/storage.ts';
import { pause, retryDelay, untilOnline } from '../../lib/retry.ts';
import { errorReason } from '../../errors/error-reason.ts';
import { errorRefusal } from '../../errors/refusal.ts';
import type { ChatApi } from './chat-api.ts';

export interface Stops {
  put(generationId: string): void;
  remove(generationId: string): void;
  has(generationId: string): boolean;
  /** The ids of the generations to stop. */
  list(): string[];
}

/** The pending stop requests of one user in this browser. */
export function createStops(userId: string): Stops {
  const prefix = `stops:${userId}:`;
  const list = () => keysWith(prefix).map((key) => key.slice(prefix.length));
  return {
    put: (generationId) => void writeText(prefix + generationId, '1'),
    remove: (generationId) => removeStored(prefix + generationId),
    has: (generationId) => list().includes(generationId),
    list,
  };
}

/**
 * Retries a stop request until the server responds. Returns the final event, or null if nothing was running.
 * @throws the server's refusal or unexpected response, and DOMException AbortError once `signal` is aborted
 */
export async function deliverStop(chatApi: ChatApi, generationId: string, signal: AbortSignal) {
  for (let attempt = 0; ; attempt++) {
    await untilOnline(signal);
    try {
      return await chatApi.abort(generationId);
    } catch (error) {
      signal.throwIfAborted();
      // A response that is not Parley's, such as a proxy's error page, is shown at once: the person may press again.
      if (errorRefusal(error) || errorReason(error)?.type === 'unexpected_answer') throw error;
    }
    await pause(retryDelay(attempt), signal);
  }
}
