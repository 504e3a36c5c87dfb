/**
 * The least of what `measure` gives, in up to `rounds` rounds and no longer than until it is below `bound`. A crowded
 * machine only adds to a measure: what is too much in every round is so by itself.
 */
export async function leastBelow(bound: number, measure: () => number | Promise<number>, rounds = 20): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < rounds && least >= bound; round++) least = Math.min(least, await measure());
  return least;
}
