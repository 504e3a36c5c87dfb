// How much of what a running artifact sends is heard: it can send as fast as it likes.

/** News that are heard in a second, and messages of a frame that floods the page. */
const NEWS_MAX = 20;
const FLOOD = 2_000;

export interface NewsGate {
  /** What becomes of a message that comes at `now`, in milliseconds. `flood` is told once in a second. */
  take(now: number): 'hear' | 'drop' | 'flood';
}

export function createNewsGate(): NewsGate {
  let second = { at: 0, count: 0 };
  return {
    take(now) {
      const at = Math.floor(now / 1000);
      second = { at, count: second.at === at ? second.count + 1 : 1 };
      if (second.count === FLOOD) return 'flood';
      return second.count <= NEWS_MAX ? 'hear' : 'drop';
    },
  };
}
