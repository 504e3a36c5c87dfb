import { parseQuery } from '@parley/server/search/query';
import { describe, expect, it } from 'vitest';

const literals = (text: string) => parseQuery(text).terms.map(({ literal }) => literal);

describe('a query', () => {
  it('is split at spaces, without punctuation', () => {
    expect(literals('  Where is  the Café?! ')).toEqual(['where', 'is', 'the', 'cafe']);
  });

  it('keeps the characters of code', () => {
    expect(literals('useEffect( c++ foo_bar src/a.ts')).toEqual(['useeffect(', 'c++', 'foo_bar', 'src/a.ts']);
  });

  it('keeps quoted words together', () => {
    expect(literals('say "hello, world!" twice')).toEqual(['say', 'hello, world!', 'twice']);
  });

  it('ignores a quote that is not closed', () => {
    expect(literals('say "hello world')).toEqual(['say', 'hello', 'world']);
  });

  it('drops words without letters, and words beyond the limit', () => {
    expect(literals('rock & roll =>')).toEqual(['rock', 'roll']);
    expect(literals('a b c d e f g h i j k l m n o')).toHaveLength(12);
    expect(literals('()!? %')).toEqual([]);
  });
});

describe('a word', () => {
  const pieces = (text: string) => parseQuery(text).terms.flatMap((term) => term.pieces);

  it('matches parts of words when it has three letters or more', () => {
    expect(pieces('eff')).toEqual([{ text: 'eff', match: 'part' }]);
    expect(pieces('ef')).toEqual([{ text: 'ef', match: 'few' }]);
    expect(pieces('e')).toEqual([{ text: 'e', match: 'whole' }]);
    expect(pieces('"eff"')).toEqual([{ text: 'eff', match: 'whole' }]);
  });

  it('is matched in parts only at the edges of a token', () => {
    expect(pieces('pps/main/fil')).toEqual([
      { text: 'pps', match: 'end' },
      { text: 'main', match: 'whole' },
      { text: 'fil', match: 'start' },
    ]);
  });

  it('is dropped at such an edge when it is short, unless nothing else remains', () => {
    expect(pieces('pp/main/fi')).toEqual([{ text: 'main', match: 'whole' }]);
    expect(pieces('a/b')).toEqual([
      { text: 'a', match: 'whole' },
      { text: 'b', match: 'whole' },
    ]);
    expect(pieces('.ts')).toEqual([{ text: 'ts', match: 'few' }]);
  });

  it('is split into pairs of characters when its script has no spaces', () => {
    expect(pieces('北京大学').map(({ text }) => text)).toEqual(['北京', '京大', '大学']);
    expect(pieces('京')).toEqual([{ text: '京', match: 'start' }]);
  });

  it('knows whether the text must be read to confirm it', () => {
    const ordered = (text: string) => parseQuery(text).terms.map(({ isOrdered }) => isOrdered);
    expect(ordered('word 北京 北京大 foo.bar c++ "a b" b漢')).toEqual([false, false, true, true, true, true, true]);
  });
});
