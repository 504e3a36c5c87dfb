import type { Change } from '@parley/schema/convos';
import { api } from '../../trpc.ts';

/** The first wait before a feed that ended is asked for again; it doubles up to the longest. Milliseconds. */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

interface Follower {
  tell: (change: Change) => void;
  /** A feed without a past has begun: whatever was read before may be older than its first change. */
  onFresh: () => void;
}

/**
 * Follows the feed until the returned function is called. A dropped socket resumes by itself after the last change
 * told; a feed that the server ended or refused (a restart, an outworn token) is asked for again from there.
 */
export function followChanges({ tell, onFresh }: Follower): () => void {
  let lastEventId: string | undefined;
  let wait = FIRST_WAIT;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let subscription = subscribe();

  function subscribe() {
    return api.convos.changes.subscribe(
      { lastEventId },
      {
        onStarted() {
          wait = FIRST_WAIT;
          if (lastEventId === undefined) onFresh();
        },
        onData(entry) {
          lastEventId = entry.id;
          tell(entry.data);
        },
        onError: again,
        onComplete: again,
      },
    );
  }

  function again() {
    clearTimeout(timer);
    timer = setTimeout(() => (subscription = subscribe()), wait * (0.5 + Math.random()));
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }

  return () => {
    clearTimeout(timer);
    subscription.unsubscribe();
  };
}
