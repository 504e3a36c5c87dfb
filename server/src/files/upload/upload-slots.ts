// The places of uploads: few are received at once, the others wait unread for their turn. Existing clients send all files
// of a message at the same time, and show a refusal as a failure of the file.

export interface UploadSlots {
  /**
   * Resolves to a function that gives the place back: null when too many wait, after too long a wait, and when `left`
   * is aborted first.
   */
  enter(userId: string, left: AbortSignal): Promise<Leave | null>;
}

type Leave = () => void;

interface Waiting {
  userId: string;
  end(leave: Leave | null): void;
}

/** Of this process. A message has ten files, and a person more than one page. */
const BOUNDS = { perUser: 3, perProcess: 16, waitingPerUser: 20, waiting: 200, waitMs: 5 * 60_000 };

export function createUploadSlots(bounds = BOUNDS): UploadSlots {
  const running = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let all = 0;
  return { enter };

  async function enter(userId: string, left: AbortSignal): Promise<Leave | null> {
    if (left.aborted) return null;
    if (hasSlot(userId)) return take(userId);
    const own = [...waiting].filter((one) => one.userId === userId);
    if (own.length >= bounds.waitingPerUser || waiting.size >= bounds.waiting) return null;
    return new Promise((resolve) => {
      const giveUp = () => one.end(null);
      const timer = setTimeout(giveUp, bounds.waitMs).unref();
      left.addEventListener('abort', giveUp);
      const one: Waiting = {
        userId,
        end(leave) {
          clearTimeout(timer);
          left.removeEventListener('abort', giveUp);
          waiting.delete(one);
          resolve(leave);
        },
      };
      waiting.add(one);
    });
  }

  function hasSlot(userId: string): boolean {
    return all < bounds.perProcess && (running.get(userId) ?? 0) < bounds.perUser;
  }

  function take(userId: string): Leave {
    running.set(userId, (running.get(userId) ?? 0) + 1);
    all += 1;
    return () => {
      all -= 1;
      const own = (running.get(userId) ?? 1) - 1;
      if (own > 0) running.set(userId, own);
      else running.delete(userId);
      const next = [...waiting].find((one) => hasSlot(one.userId));
      next?.end(take(next.userId));
    };
  }
}
