import { expect, test } from 'vitest';
import { plainExcerpt } from '../../../../web/src/lib/plain-excerpt.ts';

test.each([
  ['## Seals\n\nTwo **kinds**, *one* and __two__.', 'Seals Two kinds, one and two.'],
  ['- [x] done\n- see [the *page*](https://example.com/a_(b))\n1. `code`', 'done see the page code'],
  ['```js\nlet a = 1;\n```\n\n---\n\n> quoted', 'let a = 1; quoted'],
  ['| name | size |\n| - | :-: |\n| Grey | 2 m |', 'name, size Grey, 2 m'],
  ['snake_case_name and 2 * 3 * 4, 5 \\* 6', 'snake_case_name and 2 * 3 * 4, 5 * 6'],
  ['![A seal](a.png) rests[^1], ~~not~~ swims <https://example.com>', 'A seal rests, not swims https://example.com'],
])('"%s" reads without its marks', (markdown, said) => {
  expect(plainExcerpt(markdown, 200)).toBe(said);
});

test('only the beginning is read, and no character is halved', () => {
  expect(plainExcerpt('word '.repeat(100_000), 10)).toBe('word word ');
  expect(plainExcerpt(`${'a'.repeat(9)}\u{1F600}`, 10)).toBe(`${'a'.repeat(9)}\uFFFD`);
  expect(plainExcerpt('*_`['.repeat(100_000), 10)).not.toBe('');
});
