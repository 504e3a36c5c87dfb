import { splitSpoken } from '@parley/server/speech/speak';
import { expect, it } from 'vitest';

it('a long text is cut between sentences, then between words, and nothing is lost', () => {
  const sentence = 'This is a sentence of some length. ';
  const pieces = splitSpoken(sentence.repeat(20).trim(), 100);
  expect(pieces.every((piece) => piece.length <= 100 && piece.endsWith('.'))).toBe(true);
  expect(pieces.join(' ')).toBe(sentence.repeat(20).trim());
  expect(splitSpoken('word '.repeat(40).trim(), 50).every((piece) => /^(word ?)+$/.test(piece))).toBe(true);
});

it('a text without a gap is cut at the limit, and no letter in two', () => {
  const pieces = splitSpoken('😀'.repeat(50), 33);
  expect(pieces.join('')).toBe('😀'.repeat(50));
  expect(pieces.every((piece) => piece.length <= 33 && piece.isWellFormed())).toBe(true);
});

it('a short text stays whole', () => {
  expect(splitSpoken('Short.')).toEqual(['Short.']);
});
