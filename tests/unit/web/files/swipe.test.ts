import { expect, it } from 'vitest';
import { swipeDirection } from '../../../../web/src/files/message/use-swipe.ts';

const from = { clientX: 200, clientY: 400 };

it.each([
  [100, 410, -1],
  [300, 380, 1],
  // Too short, and too steep.
  [170, 400, 0],
  [120, 460, 0],
])('from 200, 400 to %i, %i is a swipe of direction %i', (clientX, clientY, direction) => {
  expect(swipeDirection(from, { clientX, clientY })).toBe(direction);
});
