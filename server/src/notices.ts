// What the processes on one database tell each other through LISTEN/NOTIFY: ids only, never content. A notice may be
// lost while a connection is down, so it only ever says "look again", and every bell rings when listening (re)starts.
import type { Db } from '@parley/db/client';

export interface Bell {
  /** Resolves at the first ring since the last call, or when the signal aborts. */
  next(signal: AbortSignal): Promise<void>;
  end(): void;
}

export interface Notices {
  bell(topic: string): Bell;
  /** Hears every notice whose topic starts with `prefix`, with the rest of it. */
  on(prefix: string, listener: (rest: string) => void): void;
  close(): Promise<void>;
}

export async function listenToNotices(db: Db): Promise<Notices> {
  const bells = new Map<string, Set<() => void>>();
  const listeners = new Map<string, (rest: string) => void>();
  const unlisten = await db.listen('parley', hear, ringAll);
  return { bell, on: (prefix, listener) => void listeners.set(prefix, listener), close: unlisten };

  function hear(topic: string): void {
    for (const ring of bells.get(topic) ?? []) ring();
    const colon = topic.indexOf(':') + 1;
    listeners.get(topic.slice(0, colon))?.(topic.slice(colon));
  }

  function ringAll(): void {
    for (const set of bells.values()) for (const ring of set) ring();
  }

  function bell(topic: string): Bell {
    let rung = false;
    let wake: (() => void) | null = null;
    const ring = () => {
      rung = true;
      wake?.();
    };
    const set = bells.get(topic) ?? new Set();
    bells.set(topic, set.add(ring));
    return { next, end };

    async function next(signal: AbortSignal): Promise<void> {
      if (!rung && !signal.aborted) {
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
      rung = false;
    }

    function end(): void {
      set.delete(ring);
      if (set.size === 0) bells.delete(topic);
    }
  }
}
