import type { AskInput } from '@parley/schema/ask';
import type { Reason } from '@parley/schema/reasons';
import { unexpectedOf } from '../../lib/reason-of.ts';
import { pause, retryDelay, untilOnline } from './patience.ts';
import { refusalOf, type Asked, type Wire } from './wire.ts';

const BAD_GATEWAY = 502;

export type Delivery = { type: 'accepted'; asked: Asked } | { type: 'refused'; reason: Reason };

export interface DeliveryListener {
  /** The ask goes out now. */
  onAttempt(): void;
  /** It did not get through and waits for the network or for its next turn; `why`, where something answered. */
  onWait(why: Reason | null): void;
}

/**
 * Sends an ask until the server has said yes or no. The same ids go out each time, so that an ask whose answer was lost
 * is not asked twice.
 * @throws DOMException AbortError once `signal` is aborted
 */
export async function deliver(
  wire: Wire,
  ask: AskInput,
  signal: AbortSignal,
  listener: DeliveryListener,
): Promise<Delivery> {
  for (let attempt = 0; ; attempt++) {
    await untilOnline(signal);
    listener.onAttempt();
    let unexpected: ReturnType<typeof unexpectedOf> = null;
    try {
      return { type: 'accepted', asked: await wire.ask(ask, signal) };
    } catch (error) {
      signal.throwIfAborted();
      unexpected = unexpectedOf(error);
      // A proxy says so while the server starts again. Anything else will not pass by itself.
      const reason = unexpected && unexpected.status < BAD_GATEWAY ? unexpected : refusalOf(error);
      if (reason) return { type: 'refused', reason };
    }
    listener.onWait(unexpected);
    await pause(retryDelay(attempt), signal);
  }
}
