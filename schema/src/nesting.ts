/** More than any settings or arguments need, and far less than recursion over a value can bear. */
const LEVELS_MAX = 64;

/** The sentence for a value that is not `isFlat`. */
export const TOO_NESTED = `The input is nested deeper than ${LEVELS_MAX} levels`;

/** Whether a JSON value has few levels, found without recursion: what reads, cleans or stores it recurses. */
export function isFlat(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= LEVELS_MAX; depth++) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return true;
  }
  return false;
}
