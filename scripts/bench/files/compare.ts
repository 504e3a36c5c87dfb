// What Parley takes beside the bare work, round by round.
import { atMost, median, type Figure } from '../figures.ts';

/** Milliseconds of each round. */
export interface Pairs {
  bare: number[];
  parley: number[];
}

export function pairs(): Pairs {
  return { bare: [], parley: [] };
}

export function note(runs: Pairs, { bare, parley }: { bare: number; parley: number }): void {
  runs.bare.push(bare);
  runs.parley.push(parley);
}

/**
 * Milliseconds of each. They take turns at going first, by the parity of `round`: the second one pays for what the
 * first has left to do to the disk and to the garbage collector of this process.
 */
export async function inTurns(
  round: number,
  { bare, parley }: { bare: () => Promise<void>; parley: () => Promise<void> },
): Promise<{ bare: number; parley: number }> {
  if (round % 2 === 0) return { bare: await timed(bare), parley: await timed(parley) };
  const first = await timed(parley);
  return { bare: await timed(bare), parley: first };
}

/** One line of the table: both times, the median unless `of` is set, and their ratio with its target. */
export function compare(
  name: string,
  { bare, parley }: Pairs,
  { of = median, atMost: limit }: { of?: (times: readonly number[]) => number; atMost?: number } = {},
): Figure {
  const ratio = of(parley) / of(bare);
  const cells = { bare: ms(of(bare)), parley: ms(of(parley)), ratio: ratio.toFixed(2) };
  return { name, cells, ...(limit !== undefined && { target: atMost(ratio, limit, 'x') }) };
}

/** Milliseconds that `act` takes. */
export async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}
