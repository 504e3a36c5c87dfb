import { expect, test } from 'vitest';
import { readToolCall } from '../../../../web/src/chat/message/read-tool-call.ts';
import { spokenText } from '../../../../web/src/chat/spoken-text.ts';

const call = { id: 'call', kind: 'function', name: 'weather', input: '{}', output: null, progress: 0.3 } as const;

test.each([
  ['## Seals\n\nTwo **kinds**, *one* and __two__.', 'Seals Two kinds, one and two.'],
  ['- [x] done\n- see [the *page*](https://example.com/a_(b))\n1. `code`', 'done see the page code'],
  ['```js\nlet a = 1;\n```\n\n---\n\n> quoted', 'let a = 1; quoted'],
  ['| name | size |\n| - | :-: |\n| Grey | 2 m |', 'name, size Grey, 2 m'],
  ['snake_case_name and 2 * 3 * 4, 5 \\* 6', 'snake_case_name and 2 * 3 * 4, 5 * 6'],
  ['![A seal](a.png) rests[^1], ~~not~~ swims <https://example.com>', 'A seal rests, not swims https://example.com'],
])('"%s" is spoken without its marks', (markdown, said) => {
  expect(spokenText(markdown, 200)).toBe(said);
});

test('only the beginning is spoken, and no half of a character', () => {
  expect(spokenText('word '.repeat(100_000), 10)).toBe('word word ');
  expect(spokenText(`${'a'.repeat(9)}\u{1F600}`, 10)).toBe(`${'a'.repeat(9)}\uFFFD`);
  expect(spokenText('*_`['.repeat(100_000), 10)).not.toBe('');
});

test('a tool call that its answer leaves open was stopped', () => {
  expect(readToolCall(call, true).state).toBe('working');
  expect(readToolCall(call, false).state).toBe('stopped');
  expect(readToolCall({ ...call, output: 'Sunny' }, false).state).toBe('finished');
  expect(readToolCall({ ...call, progress: 1 }, false).state).toBe('finished');
  expect(readToolCall({ ...call, output: 'error processing tool' }, true).state).toBe('failed');
});
