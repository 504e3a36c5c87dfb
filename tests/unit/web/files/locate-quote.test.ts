import { describe, expect, it } from 'vitest';
import { locateQuote } from '../../../../web/src/files/text/locate-quote.ts';

describe('a quote is found', () => {
  it.each([
    ['as it is', 'Kites fly. They nest high.', 'They nest high.', 'They nest high'],
    ['over line breaks', 'They nest\n23 metres   above\tthe mill.', 'They nest 23 metres above the mill.', null],
    ['over a hyphen at the end of a line', 'The metro-\npolitan area grows.', 'The metropolitan area grows.', null],
    ['over a soft hyphen', 'The metro\u00adpolitan area', 'metropolitan area', null],
    [
      'without the marks of Markdown',
      'Water boils at **100 degrees**.',
      'boils at 100 degrees',
      'boils at **100 degrees',
    ],
    ['with ligatures', 'An e\ufb03cient o\ufb03ce', 'efficient office', 'e\ufb03cient o\ufb03ce'],
    ['with composed and decomposed accents', 'Le cafe\u0301 ferme', 'le café ferme', null],
    ['in scripts without spaces', '東京 都庁へ\n行きました。', '都庁へ行きました', '都庁へ\n行きました'],
    [
      'where the server has cut it',
      'A sentence that goes on and on for long.',
      'A sentence that goes on…',
      'A sentence that goes on',
    ],
    ['with letters of two units', '𝒜 set 𝒳 is open', 'set X is open', 'set 𝒳 is open'],
  ])('%s', (_how, text, quote, marked) => {
    const found = locateQuote(text, quote);
    expect(found && text.slice(found.from, found.to)).toBe(marked ?? text.replace(/\.$/, '').slice(found?.from));
  });

  it('in part, where a page number stands inside it', () => {
    const text = 'The red kites nest above the old mill of the valley 17 and come back each spring.';
    const found = locateQuote(text, 'The red kites nest above the old mill of the valley and come back each spring.');
    expect(found && text.slice(found.from, found.to)).toContain('The red kites nest above');
  });

  it('at the second place, if that is the one that is meant', () => {
    const text = 'See above. Total: 12. See above.';
    expect(locateQuote(text, 'See above', { from: 12, to: 32 })).toEqual({ from: 22, to: 31 });
    expect(locateQuote(text, 'See above')).toEqual({ from: 0, to: 9 });
  });

  it('if it has no letters', () => {
    expect(locateQuote('a => b', '=>')).toEqual({ from: 2, to: 4 });
  });
});

describe('a quote is not found', () => {
  it.each([
    ['that is not there', 'Water boils.', 'Ice melts.'],
    ['of which only a few letters are there', 'The mill is red.', 'The mill stands by the river.'],
    ['that is empty', 'Water boils.', '  '],
  ])('%s', (_how, text, quote) => {
    expect(locateQuote(text, quote)).toBeNull();
  });
});
