import { performance } from 'node:perf_hooks';
import { hash } from '@node-rs/argon2';
import { isCommonPassword } from '@parley/server/auth/common-passwords';
import { createTurns, hashPassword, isOutdated, verifyPassword } from '@parley/server/auth/passwords';
import { expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 60_000 });

test('a password matches its own hash only', async () => {
  const stored = await hashPassword('nine green bottles');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(stored, 'nine green bottles')).toBe(true);
  expect(await verifyPassword(stored, 'nine green bottle')).toBe(false);
  expect(await verifyPassword(stored, 'nine green bottles ')).toBe(false);
});

test('the characters count as they were typed: composed and decomposed letters differ', async () => {
  const stored = await hashPassword('café au lait'.normalize('NFC'));
  expect(await verifyPassword(stored, 'café au lait'.normalize('NFC'))).toBe(true);
  expect(await verifyPassword(stored, 'café au lait'.normalize('NFD'))).toBe(false);
});

test('nobody has no password, and it takes as long to find out', async () => {
  // Of each the fastest: the slower ones tell of the machine, which may need some rounds to be quiet once.
  const stored = await hashPassword('nine green bottles');
  let wrong = Infinity;
  let unknown = Infinity;
  const apart = () => Math.abs(unknown / wrong - 1);
  for (let round = 0; round < 25 || (round < 250 && apart() >= 0.2); round++) {
    wrong = Math.min(wrong, await millisecondsOf(() => verifyPassword(stored, 'ten green bottles')));
    unknown = Math.min(unknown, await millisecondsOf(() => verifyPassword(null, 'ten green bottles')));
  }
  expect(await verifyPassword(null, 'nine green bottles')).toBe(false);
  expect(apart()).toBeLessThan(0.2);
});

test('a hash of other parameters still matches and is known to be outdated', async () => {
  const stored = await hash('nine green bottles', { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
  expect(await verifyPassword(stored, 'nine green bottles')).toBe(true);
  expect(isOutdated(stored)).toBe(true);
  expect(isOutdated(await hashPassword('nine green bottles'))).toBe(false);
});

test('at most so many work at once, in the order they came, also when some fail', async () => {
  const take = createTurns(3);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const work = async (n: number) => {
    started.push(n);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
    if (n % 4 === 0) throw new Error(`No. ${n}`);
    return n;
  };
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  const settled = await Promise.allSettled(numbers.map((n) => take(() => work(n))));
  expect(most).toBe(3);
  expect(started).toEqual(numbers);
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(5);
  expect(await take(async () => 'free again')).toBe('free again');
});

test.each(['password', 'PassWord1', '12345678', 'qwertyuiop', 'zzzzzzzzzzzz', '!!!!!!!!'])(
  '%s is common',
  (password) => {
    expect(isCommonPassword(password)).toBe(true);
  },
);

test.each(['nine green bottles', 'correct horse', 'Tr0ub4dor&3', 'password of mine'])('%s is not', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});

async function millisecondsOf(work: () => Promise<unknown>) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
