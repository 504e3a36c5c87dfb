import { parseQuery } from '@parley/server/search/query';
import { describe, expect, it } from 'vitest';

const literals = (text: string) => parseQuery(text).terms.map(({ literal }) => literal);

describe('what is typed', () => {
  it('is words between spaces, without the marks of a sentence', () => {
    expect(literals('  Where is  the Café?! ')).toEqual(['where', 'is', 'the', 'cafe']);
  });

  it('keeps the signs of code', () => {
    expect(literals('useEffect( c++ foo_bar src/a.ts')).toEqual(['useeffect(', 'c++', 'foo_bar', 'src/a.ts']);
  });

  it('keeps together what is in quotes', () => {
    expect(literals('say "hello, world!" twice')).toEqual(['say', 'hello, world!', 'twice']);
  });

  it('takes a quote that is never closed for none', () => {
    expect(literals('say "hello world')).toEqual(['say', 'hello', 'world']);
  });

  it('leaves out what has no letter, and what is too much', () => {
    expect(literals('rock & roll =>')).toEqual(['rock', 'roll']);
    expect(literals('a b c d e f g h i j k l m n o')).toHaveLength(12);
    expect(literals('()!? %')).toEqual([]);
  });
});

describe('a word', () => {
  const pieces = (text: string) => parseQuery(text).terms.flatMap((term) => term.pieces);

  it('may be a part of one, when it has three letters', () => {
    expect(pieces('eff')).toEqual([{ text: 'eff', match: 'part' }]);
    expect(pieces('ef')).toEqual([{ text: 'ef', match: 'few' }]);
    expect(pieces('e')).toEqual([{ text: 'e', match: 'whole' }]);
    expect(pieces('"eff"')).toEqual([{ text: 'eff', match: 'whole' }]);
  });

  it('may be cut only at the edges of what was typed together', () => {
    expect(pieces('pps/main/fil')).toEqual([
      { text: 'pps', match: 'end' },
      { text: 'main', match: 'whole' },
      { text: 'fil', match: 'start' },
    ]);
  });

  it('is left out at such an edge when it is short, unless there is nothing else', () => {
    expect(pieces('pp/main/fi')).toEqual([{ text: 'main', match: 'whole' }]);
    expect(pieces('a/b')).toEqual([
      { text: 'a', match: 'whole' },
      { text: 'b', match: 'whole' },
    ]);
    expect(pieces('.ts')).toEqual([{ text: 'ts', match: 'few' }]);
  });

  it('of a script without spaces is its neighbours, two by two', () => {
    expect(pieces('北京大学').map(({ text }) => text)).toEqual(['北京', '京大', '大学']);
    expect(pieces('京')).toEqual([{ text: '京', match: 'start' }]);
  });

  it('tells whether its text has to be read', () => {
    const ordered = (text: string) => parseQuery(text).terms.map(({ isOrdered }) => isOrdered);
    expect(ordered('word 北京 北京大 foo.bar c++ "a b" b漢')).toEqual([false, false, true, true, true, true, true]);
  });
});
