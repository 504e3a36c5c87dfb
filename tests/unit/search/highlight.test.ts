import { highlightHits, hitSnippet } from '@parley/server/search/highlight';
import { parseQuery } from '@parley/server/search/query';
import { describe, expect, it } from 'vitest';
import { bracketed } from '../../integration/search/library.ts';

const marked = (text: string, query: string) => bracketed(highlightHits(text, parseQuery(query)));
const snippet = (text: string, query: string) => bracketed(hitSnippet(text, parseQuery(query)));

describe('hits are marked', () => {
  it.each([
    ['The quick brown fox', 'QUICK', 'The [quick] brown fox'],
    ['Die Straße', 'strasse', 'Die [Straße]'],
    ['Crème brûlée', 'creme brulee', '[Crème] [brûlée]'],
    ['cafe\u0301 noir', 'café', '[cafe\u0301] noir'],
    ['اَلْعَرَبِيَّةُ', 'العربية', '[اَلْعَرَبِيَّةُ]'],
    ['ＡＢＣ and abc', 'abc', '[ＡＢＣ] and [abc]'],
    ['我们在北京大学', '北京', '我们在[北京]大学'],
    ['ｶﾞﾗｽ', 'ガ', '[ｶﾞ]ﾗｽ'],
    ['useEffect(() => {})', 'useEffect(', '[useEffect(](() => {})'.replace('](', ']')],
    ['js, but not adjs or jsx', 'js', '[js], but not adjs or [js]x'],
    ['C++ or c', 'c', '[C]++ or [c]'],
    ['banana', 'ana nan', 'b[anan]a'],
    ['🎉🎉 go', '🎉', '[🎉🎉] go'],
    ['nothing', 'else', 'nothing'],
    ['', 'x', ''],
    ['to be or not to be', '"or not"', 'to be [or not] to be'],
  ])('%s for %s', (text, query, expected) => {
    expect(marked(text, query)).toBe(expected);
  });
});

describe('a snippet', () => {
  const long = `${'before '.repeat(100)}the needle ${'after '.repeat(100)}`;

  it('is the whole of a short text, on one line', () => {
    expect(snippet('one\n\n  two\tthree', 'two')).toBe('one [two] three');
  });

  it.each([
    ['**Bold** and *soft* owls, `code` and ~~gone~~', 'Bold and soft [owls], code and gone'],
    ['## Owls\n\n> They said\n\n- so', '[Owls] They said - so'],
    ['See [the owls](https://example.com/a) and ![a picture](/b.png)', 'See the [owls] and a picture'],
    ['- [ ] feed owls\n  - [x] seen, rows[x] too', 'feed [owls] seen, rows[x] too'],
    ['```sh\nowls --all\n```', '[owls] --all '],
    ['| owls | 2 * 3 |\n|:---|---|', ' [owls] 2 * 3 '],
    [`| kind |\n| - | :-: |\n| owls |\n|${'-'.repeat(41)}|--|`, ' kind [owls] '],
    ['owls - owls | owls', '[owls] - [owls] [owls]'],
  ])('of %s has no markdown signs', (text, expected) => {
    expect(snippet(text, 'owls')).toBe(expected);
  });

  it('is the part of a long text around the first hit, cut between words', () => {
    expect(snippet(long, 'needle')).toMatch(/^…before .* the \[needle\] after .* after…$/);
    expect(snippet(long, 'needle').length).toBeLessThan(220);
  });

  it('prefers the phrase to its first word', () => {
    expect(snippet(`needle ${long} needle thread ${long}`, 'needle thread')).toContain('[needle] [thread]');
  });

  it('starts at the beginning of the text when the hit is near', () => {
    expect(snippet(`needle ${long}`, 'needle')).toMatch(/^\[needle\] before/);
  });

  it('does not split a character', () => {
    const text = '😀'.repeat(500);
    const shown = snippet(`${text}needle${text}`, 'needle');
    expect(shown).toBe(shown.toWellFormed());
  });
});
