import { expect, test } from 'vitest';
import { findTrigger } from '../../../../web/src/mentions/find-trigger.ts';

test.each([
  ['/', { sign: '/', query: '', start: 0 }],
  ['/sett', { sign: '/', query: 'sett', start: 0 }],
  ['@gpt', { sign: '@', query: 'gpt', start: 0 }],
  ['Ask @cla', { sign: '@', query: 'cla', start: 4 }],
  ['See #report', { sign: '#', query: 'report', start: 4 }],
  ['First line\n#', { sign: '#', query: '', start: 11 }],
])('%j opens a list', (text, trigger) => {
  expect(findTrigger(text, text.length)).toEqual(trigger);
});

test.each([
  'either/or',
  'see /etc/hosts',
  '/usr/bin',
  'first line\n/',
  'ada@example.com',
  '# Title',
  '## ',
  'C# is',
  'no sign',
  '',
  `@${'a'.repeat(65)}`,
])('%j is ordinary text', (text) => {
  expect(findTrigger(text, text.length)).toBeNull();
});

test('only the word before the caret counts', () => {
  expect(findTrigger('@gpt and more', 4)).toEqual({ sign: '@', query: 'gpt', start: 0 });
  expect(findTrigger('@gpt and more', 8)).toBeNull();
});
