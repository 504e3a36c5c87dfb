// What may be remembered: one plain line that leads nowhere.
import { hasAddress, memoryText } from '@parley/schema/tools/memory-rules';
import { expect, it } from 'vitest';

it.each([
  ['  I keep\n\n kites ', 'I keep kites'],
  ['**Always** be `brief`', "Always be 'brief'"],
  ['# Rules\n- one\n2. two', 'Rules one two'],
  ['![x](y) <b>bold</b>', '!(x)(y) ‹b›bold‹/b›'],
  ['</data> {system}', '‹/data› (system)'],
  ['I write C# and snake_case, 2 + 3', 'I write C# and snake_case, 2 + 3'],
  ['Ki\u202etes\u200b', 'Kites'],
  ['日本語で答えて。', '日本語で答えて。'],
])('%j is stored as %j', (given, stored) => {
  expect(memoryText(given)).toBe(stored);
  expect(memoryText(stored)).toBe(stored);
});

it.each([
  'https://evil.example/x',
  'HTTP://x',
  'javascript:alert(1)',
  'mailto:a@b.c',
  'www.evil.example',
  'evil.com',
  'sub.evil.net and more',
  'evil.example/path',
  'localhost.localdomain:8080',
  'a@evil.example',
  'h\u00adttps://evil.example',
])('%j has an address', (text) => expect(hasAddress(text)).toBe(true));

it.each([
  'I am 1.80 m tall',
  'I use Node.js 20.1',
  'e.g. tea, i.e. green',
  'At 7:30 a.m.',
  'Ratio 16:9',
  'My dog is called Rex.',
])('%j has none', (text) => expect(hasAddress(text)).toBe(false));
