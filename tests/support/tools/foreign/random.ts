// Chance that is the same in every run.

export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** At least 0, below `max`. */
  below(max: number): number;
  pick<T>(from: readonly T[]): T;
  chance(part: number): boolean;
}

export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (max) => Math.floor(next() * max),
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new Error('There is nothing to choose from');
      return from[Math.floor(next() * from.length)] as T;
    },
    chance: (part) => next() < part,
  };
}
