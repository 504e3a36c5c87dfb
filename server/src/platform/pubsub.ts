// Pub/sub between the processes of one database: ids only, never content. A notification may be lost while a connection
// is down, so each one only means "look again", and every subscription is notified when listening (re)starts.
import type { Db } from '@parley/db/client';

export interface Subscription {
  /**
   * Resolves at the first notification since the last call, or when the signal aborts, to the number of notifications
   * since the last call: each is a transaction. Infinity when some may have been lost.
   */
  next(signal: AbortSignal): Promise<number>;
  end(): void;
}

export interface PubSub {
  subscribe(topic: string): Subscription;
  /** Calls `listener` for every topic that starts with `prefix`, with the rest of the topic. */
  on(prefix: string, listener: (rest: string) => void): void;
  /** What follows the prefix in the topics that are subscribed to. */
  subscribed(prefix: string): string[];
  /** Notifies the subscriptions of a topic of which a notification may have been lost. */
  notifyLost(topic: string): void;
  close(): Promise<void>;
}

export async function createPubSub(db: Db): Promise<PubSub> {
  const subscriptions = new Map<string, Set<(count: number) => void>>();
  const listeners = new Map<string, (rest: string) => void>();
  const unlisten = await db.listen({ onTopic: dispatch, onListening: notifyAll });
  return {
    subscribe,
    on: (prefix, listener) => void listeners.set(prefix, listener),
    subscribed,
    notifyLost,
    close: unlisten,
  };

  function dispatch(topic: string): void {
    for (const notify of subscriptions.get(topic) ?? []) notify(1);
    const colon = topic.indexOf(':') + 1;
    listeners.get(topic.slice(0, colon))?.(topic.slice(colon));
  }

  function notifyAll(): void {
    for (const topic of subscriptions.keys()) notifyLost(topic);
  }

  function notifyLost(topic: string): void {
    for (const notify of subscriptions.get(topic) ?? []) notify(Infinity);
  }

  function subscribed(prefix: string): string[] {
    return [...subscriptions.keys()].flatMap((topic) => (topic.startsWith(prefix) ? topic.slice(prefix.length) : []));
  }

  function subscribe(topic: string): Subscription {
    let notified = 0;
    let wake: (() => void) | null = null;
    const notify = (count: number) => {
      notified += count;
      wake?.();
    };
    const set = subscriptions.get(topic) ?? new Set();
    subscriptions.set(topic, set.add(notify));
    return { next, end };

    async function next(signal: AbortSignal): Promise<number> {
      if (notified === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const done = () => {
            signal.removeEventListener('abort', done);
            resolve();
          };
          wake = done;
          signal.addEventListener('abort', done, { once: true });
        });
      }
      wake = null;
      const count = notified;
      notified = 0;
      return count;
    }

    function end(): void {
      set.delete(notify);
      if (set.size === 0) subscriptions.delete(topic);
    }
  }
}
