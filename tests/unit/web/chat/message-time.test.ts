import { expect, test } from 'vitest';
import { senderLabel } from '../../../../web/src/catalog/sender-label.ts';
import { relativeTime } from '../../../../web/src/chat/message-time/relative-time.ts';

const now = new Date(2026, 5, 17, 12, 0, 0).getTime();
const ago = (ms: number) => relativeTime(new Date(now - ms).toISOString(), 'en-US', now);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  [-5 * MINUTE, 'now'],
  [59_000, 'now'],
  [MINUTE, '1 minute ago'],
  [59.9 * MINUTE, '59 minutes ago'],
  [HOUR, '1 hour ago'],
  [23 * HOUR, '23 hours ago'],
  [24 * HOUR, 'yesterday'],
  // Before midnight, two nights ago.
  [37 * HOUR, '2 days ago'],
  [6 * 24 * HOUR, '6 days ago'],
  [7 * 24 * HOUR, 'Jun 10'],
  [400 * 24 * HOUR, 'May 13, 2025'],
])('a message of %i ms ago is from "%s"', (age, said) => {
  expect(ago(age)).toBe(said);
});

test('times are in the language of the page', () => {
  expect(relativeTime(new Date(now - 5 * MINUTE).toISOString(), 'de-DE', now)).toBe('vor 5 Minuten');
});

test('a custom endpoint without a label is called by its name, every other by its sender', () => {
  expect(senderLabel({ sender: 'AI', endpoint: 'Mistral', endpointType: 'custom' })).toBe('Mistral');
  expect(senderLabel({ sender: 'House model', endpoint: 'Mistral', endpointType: 'custom' })).toBe('House model');
  expect(senderLabel({ sender: 'Ada', endpoint: 'openAI', endpointType: 'openAI' })).toBe('Ada');
});
