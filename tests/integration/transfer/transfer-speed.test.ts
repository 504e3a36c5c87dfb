import { createTransferSpeed } from '@parley/server/transfer/import';
import { expect, test } from 'vitest';

const SECOND = 1000;

/** For how many seconds a sender of so many bytes each second is waited for; an hour at most. */
function secondsOf(speed: ReturnType<typeof createTransferSpeed>, bytes: number): number {
  for (let second = 1; second <= 3600; second++) if (!speed.isEnough(bytes, SECOND)) return second;
  return 3600;
}

test('a sender of a few bytes a second holds a slot for at most half a minute', () => {
  expect(secondsOf(createTransferSpeed(), 100)).toBe(30);
});

test('a sender with a slow line is served until the file has arrived', () => {
  expect(secondsOf(createTransferSpeed(), 20_000)).toBe(3600);
});

test('a fast beginning does not extend the time of a slow sender', () => {
  const speed = createTransferSpeed();
  expect(speed.isEnough(50_000_000, SECOND)).toBe(true);
  expect(secondsOf(speed, 100)).toBeLessThanOrEqual(60);
});

test('time in which nobody waits for the sender does not count', () => {
  const speed = createTransferSpeed();
  for (let chunk = 0; chunk < 10_000; chunk++) expect(speed.isEnough(100, 0)).toBe(true);
});
