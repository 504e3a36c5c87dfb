// Two answers beside each other: what both say, and what only one says.
import { expect, test } from 'vitest';
import { findDifferences, type Piece } from '../../../../web/src/compare/differences.ts';

const words = (count: number, word: string) => Array.from({ length: count }, (_, n) => `${word}${n}`).join(' ');
const textOf = (side: Piece[][]) => side.map((pieces) => pieces.map(({ text }) => text).join('')).join('\n\n');
const onlyIn = (side: Piece[][]) => side.flat().flatMap(({ text, isOnly }) => (isOnly ? [text] : []));

test('a word that differs is marked on its side, and nothing else', () => {
  const { sides, likeness } = findDifferences(
    'A pond needs shade.\n\nHerons come at dawn to fish.',
    'A pond needs shade.\n\nHerons come at dusk to fish.',
  );
  expect(sides.map(onlyIn)).toEqual([['dawn'], ['dusk']]);
  expect(likeness).toBe('some');
});

test('a paragraph of one answer alone is marked whole, and the ones around it stay matched', () => {
  const [first, second, third] = [words(20, 'a'), words(20, 'b'), words(20, 'c')];
  const { sides } = findDifferences(`${first}\n\n${second}\n\n${third}`, `${first}\n\n${third} and more`);
  expect(sides.map(onlyIn)).toEqual([[second], [' and more']]);
});

test('the same answer has no marks, nor have two empty ones', () => {
  for (const text of ['', words(50, 'a')]) expect(findDifferences(text, text).likeness).toBe('alike');
  expect(findDifferences(words(50, 'a'), words(50, 'a')).sides.map(onlyIn)).toEqual([[], []]);
});

test('answers with little in common are said to be unlike', () => {
  expect(findDifferences(words(1500, 'a'), words(1500, 'b')).likeness).toBe('unlike');
  expect(findDifferences('', words(10, 'b')).likeness).toBe('unlike');
});

test('long paragraphs are compared as wholes', () => {
  const { sides, likeness } = findDifferences(words(900, 'a'), `${words(900, 'a')} end`);
  expect(sides.flat(2)).toHaveLength(2);
  expect(likeness).toBe('unlike');
});

test('nothing of either text is lost, whatever the two are', () => {
  let seed = 7;
  const next = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  const text = () =>
    Array.from({ length: 1 + next(12) }, () =>
      Array.from({ length: 1 + next(30) }, () => `w${next(40)}`).join(' '),
    ).join('\n\n');
  for (let round = 0; round < 200; round++) {
    const [left, right] = [text(), text()];
    const { sides } = findDifferences(left, right);
    expect(sides.map(textOf)).toEqual([left, right]);
  }
});
