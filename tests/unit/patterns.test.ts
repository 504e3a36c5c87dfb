// A pattern whose work grows faster than its text lets one request stop the server for everybody. Analysed, not timed:
// `tests/slow/security/patterns.test.ts` runs them.
import { analyse } from 'scslre';
import { expect, it } from 'vitest';
import { listPatterns, listUnknownBuilders, nameOfPattern, type Pattern } from '../support/patterns.ts';

/** Patterns the analysis doubts, each with what keeps its work linear. */
const EXEMPT: Record<string, string> = {
  'server/src/config/yaml/yaml-schema.ts /^[^\\s@/:]+\\.[^\\s@/:]+$/': "It reads the operator's own configuration.",
  'web/src/content/code/fence.ts /^\\n*( {0,3})(`{3,}|~{3,})([^\\n]*)(?:\\n|$)/':
    'It is tried at the start only, and what follows the marks always matches to the end of the line.',
};

const patterns = listPatterns();

it('patterns are found in every workspace', () => {
  const workspaces = new Set(patterns.map(({ file }) => file.split('/')[0]));
  expect([...workspaces].toSorted()).toEqual(['db', 'schema', 'server', 'web']);
});

it('no pattern needs more than linear work', () => {
  const doubted = patterns.filter(isSuperlinear).map(nameOfPattern);
  expect([...new Set(doubted)].toSorted()).toEqual(Object.keys(EXEMPT).toSorted());
});

it('every pattern that is built at run time is listed', () => {
  expect(listUnknownBuilders()).toEqual([]);
});

it.each([
  ['cubic', '^\\S+@\\S+\\.\\S+$'],
  ['exponential', '^(?:\\n*(?: {4}|\\t)[^\\n]*)+\\n*$'],
  ['quadratic for being tried at every place', '\\/+$'],
])('a pattern that is %s is recognised', (_growth, source) => {
  expect(isSuperlinear({ file: '', source, flags: '' })).toBe(true);
});

function isSuperlinear({ source, flags }: Pattern): boolean {
  return analyse({ source, flags }).reports.length > 0;
}
