// Pub/sub between the processes of one database through LISTEN/NOTIFY: ids only, never content. A notification may be
// lost while a connection is down, so each one only says "look again", and every subscription is notified when
// listening (re)starts.
import type { Db } from '@parley/db/client';

export interface Subscription {
  /** Resolves at the first notification since the last call, or when the signal aborts. */
  next(signal: AbortSignal): Promise<void>;
  end(): void;
}

export interface PubSub {
  subscribe(topic: string): Subscription;
  /** Calls `listener` for every topic that starts with `prefix`, with the rest of the topic. */
  on(prefix: string, listener: (rest: string) => void): void;
  close(): Promise<void>;
}

export async function createPubSub(db: Db): Promise<PubSub> {
  const subscriptions = new Map<string, Set<() => void>>();
  const listeners = new Map<string, (rest: string) => void>();
  const unlisten = await db.listen('parley', dispatch, notifyAll);
  return { subscribe, on: (prefix, listener) => void listeners.set(prefix, listener), close: unlisten };

  function dispatch(topic: string): void {
    for (const notify of subscriptions.get(topic) ?? []) notify();
    const colon = topic.indexOf(':') + 1;
    listeners.get(topic.slice(0, colon))?.(topic.slice(colon));
  }

  function notifyAll(): void {
    for (const set of subscriptions.values()) for (const notify of set) notify();
  }

  function subscribe(topic: string): Subscription {
    let notified = false;
    let wake: (() => void) | null = null;
    const notify = () => {
      notified = true;
      wake?.();
    };
    const set = subscriptions.get(topic) ?? new Set();
    subscriptions.set(topic, set.add(notify));
    return { next, end };

    async function next(signal: AbortSignal): Promise<void> {
      if (!notified && !signal.aborted) {
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
      notified = false;
    }

    function end(): void {
      set.delete(notify);
      if (set.size === 0) subscriptions.delete(topic);
    }
  }
}
