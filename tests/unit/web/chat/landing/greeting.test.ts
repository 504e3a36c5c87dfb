import { expect, test } from 'vitest';
import { firstName, greetingAt } from '../../../../../web/src/chat/landing/greeting.ts';

test('the greeting follows the hour', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => greetingAt(hour).replace('com_landing_', ''));
  expect(hours).toEqual([
    ...Array<string>(5).fill('evening'),
    ...Array<string>(7).fill('morning'),
    ...Array<string>(6).fill('afternoon'),
    ...Array<string>(6).fill('evening'),
  ]);
});

test.each([
  ['Ada Lovelace', 'Ada'],
  ['  Ada ', 'Ada'],
  ['山田太郎', '山田太郎'],
  ['', ''],
  [null, ''],
  [undefined, ''],
])('a person named %j is greeted as %j', (name, greeted) => {
  expect(firstName(name)).toBe(greeted);
});
