import type { Change } from '@parley/schema/convos/convos';
import type { Unsubscribable } from '@trpc/server/observable';
import { api } from '../trpc.ts';

/** Milliseconds before the first retry of a feed that ended; doubles up to the longest. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

interface Follower {
  onChange: (change: Change) => void;
  /** A new feed without history has begun: data that was read before may predate its first change. */
  onStart: () => void;
  /** It goes on after a gap: what everybody has, and is no change of this person, may be another by now. */
  onResumed: () => void;
}

/**
 * Follows the feed until the returned function is called. A dropped socket resumes by itself after the last received
 * change; if the server ends or rejects the feed (a restart, an expired token), it subscribes again from there.
 */
export function followChanges({ onChange, onStart, onResumed }: Follower): () => void {
  let lastEventId: string | undefined;
  let wait = FIRST_WAIT_MS;
  let subscription: Unsubscribable | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  subscribe();

  function subscribe(): void {
    subscription = api.convos.changes.subscribe(
      { lastEventId },
      {
        onStarted() {
          wait = FIRST_WAIT_MS;
          if (lastEventId !== undefined) onResumed();
        },
        onData(entry) {
          const isFirst = lastEventId === undefined;
          lastEventId = entry.id;
          // Not when the subscription has started: the server has read where the feed begins once it says so.
          if (isFirst && entry.data.type === 'reset') onStart();
          else onChange(entry.data);
        },
        onError: again,
        onComplete: again,
      },
    );
  }

  function again() {
    clearTimeout(timer);
    timer = setTimeout(subscribe, wait * (0.5 + Math.random()));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  return () => {
    clearTimeout(timer);
    subscription?.unsubscribe();
  };
}
