// How much of what a running artifact sends is heard: it can send as fast as it likes.

export interface NewsGate {
  /** What becomes of a message that comes at `now`, in milliseconds. `flood` is told once in a second. */
  take(now: number): 'hear' | 'drop' | 'flood';
}

/** In each second the first `heard` messages are heard; with the one numbered `flood` the page is being flooded. */
export function createNewsGate({ heard, flood }: { heard: number; flood: number }): NewsGate {
  let second = { at: 0, count: 0 };
  return {
    take(now) {
      const at = Math.floor(now / 1000);
      second = { at, count: second.at === at ? second.count + 1 : 1 };
      if (second.count === flood) return 'flood';
      return second.count <= heard ? 'hear' : 'drop';
    },
  };
}
