import { createHash } from 'node:crypto';

/** Random choices that are reproducible from a seed. */
export interface Random {
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  /** True with this probability. */
  odds(probability: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** An independent generator for one part, unaffected by other draws. */
  part(name: string | number): Random;
}

export function createRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE();
  return {
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    odds: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
    part: (name) => createRandom(`${seed}/${name}`),
  };

  /** Mulberry32: 32 bits of state are enough to choose between a few hundred things. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }
}
