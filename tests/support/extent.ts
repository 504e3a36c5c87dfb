// How far the scalable tests go: the ordinary run uses one theme, threads of 2,000 messages and one server start; the
// full run uses everything, in the files that import this.

export const isFullRun = process.env.TEST_EXTENT === 'full';

/** Messages of a long thread. */
export const threadLength = isFullRun ? 20_000 : 2_000;

export const themes = isFullRun ? (['light', 'dark'] as const) : (['light'] as const);

/** All cases, or only the first. */
export function someOf<T>(cases: readonly T[]): readonly T[] {
  return isFullRun ? cases : cases.slice(0, 1);
}
