import { expect, it } from 'vitest';
import { spaced } from '../../../../web/src/chat/voice/insert-spoken.ts';

it.each([
  ['', 'Hello.', '', 'Hello.'],
  ['Before', 'said', 'after', ' said '],
  ['Before ', 'said', ' after', 'said'],
  ['He said: "', 'Hello', '"', 'Hello'],
  ['(', 'said', ')', 'said'],
  ['Before', 'said', '. After', ' said'],
  ['A line\n', 'said', '\nAnother', 'said'],
])('between %j, %j and %j it is put in as what a person would type', (before, words, after, expected) => {
  expect(spaced(before, words, after)).toBe(expected);
});
