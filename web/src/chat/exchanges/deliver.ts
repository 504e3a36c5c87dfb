import type { Reason } from '@parley/schema/reasons';
import { unexpectedAnswer } from '../../errors/error-reason.ts';
import { pause, retryDelay, untilOnline } from '../../lib/retry.ts';
import { type AskResult, type ChatApi } from './chat-api.ts';
import type { PendingAsk } from './prepare-ask.ts';
import { errorRefusal } from '../../errors/refusal.ts';

const BAD_GATEWAY = 502;

export type Delivery = { type: 'accepted'; result: AskResult } | { type: 'refused'; reason: Reason };

export interface DeliveryListener {
  /** The request is about to go out. */
  onAttempt(): void;
  /** The request failed and waits for the network or the next retry; `why` is set if a server answered. */
  onWait(why: Reason | null): void;
}

/**
 * Sends an ask until the server accepts or refuses it. Every attempt uses the same ids, so that an ask whose response
 * was lost is not run twice.
 * @throws DOMException AbortError once `signal` is aborted
 */
export async function deliver(
  chatApi: ChatApi,
  { ask, others }: Pick<PendingAsk, 'ask' | 'others'>,
  signal: AbortSignal,
  listener: DeliveryListener,
): Promise<Delivery> {
  for (let attempt = 0; ; attempt++) {
    await untilOnline(signal);
    listener.onAttempt();
    let unexpected: ReturnType<typeof unexpectedAnswer> = null;
    try {
      return { type: 'accepted', result: await chatApi.ask(ask, signal, others) };
    } catch (error) {
      signal.throwIfAborted();
      unexpected = unexpectedAnswer(error);
      // A proxy returns 502 or above while the server restarts. Other unexpected statuses are permanent.
      const reason = unexpected && unexpected.status < BAD_GATEWAY ? unexpected : errorRefusal(error);
      if (reason) return { type: 'refused', reason };
    }
    listener.onWait(unexpected);
    await pause(retryDelay(attempt), signal);
  }
}
