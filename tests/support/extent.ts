// How far the tests go: the ordinary run uses one theme, threads of 2,000 messages, one server start, and leaves out
// the rarer states; the full run (`npm run test:slow`) uses everything, in the files that import this.
import { test } from 'vitest';

export const isFullRun = process.env.TEST_EXTENT === 'full';

/** Messages of a long thread. */
export const threadLength = isFullRun ? 20_000 : 2_000;

export const themes = isFullRun ? (['light', 'dark'] as const) : (['light'] as const);

/** All cases, or only the first. */
export function someOf<T>(cases: readonly T[]): readonly T[] {
  return isFullRun ? cases : cases.slice(0, 1);
}

type Registration = (title: string, run: () => unknown, timeoutMs?: number) => void;

/** A test of the full run only: of a rare state, or an appearance that seldom changes. */
export const testInFullRun: Registration = isFullRun ? test : () => {};

/** All cases in the full run, none in the ordinary one. */
export function inFullRun<T>(cases: readonly T[]): readonly T[] {
  return isFullRun ? cases : [];
}
