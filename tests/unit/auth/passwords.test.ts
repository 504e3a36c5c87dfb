import type * as Argon2 from '@node-rs/argon2';
import { hash } from '@node-rs/argon2';
import { COMMON, isCommonPassword } from '@parley/server/auth/password/common-passwords';
import { hashPassword, isOutdated, verifyPassword } from '@parley/server/auth/password/password-hash';
import { createSemaphore } from '@parley/server/platform/semaphore';
import { expect, test, vi } from 'vitest';

const verified = vi.hoisted(() => [] as string[]);

/** Which hash a password is compared with is noted; it is compared all the same. */
vi.mock('@node-rs/argon2', async (load) => {
  const argon = await load<typeof Argon2>();
  const verify = (stored: string, password: string) => {
    verified.push(stored);
    return argon.verify(stored, password);
  };
  return { ...argon, verify };
});

test('a password matches its own hash only', async () => {
  const stored = await hashPassword('nine green bottles');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(stored, 'nine green bottles')).toBe(true);
  expect(await verifyPassword(stored, 'nine green bottle')).toBe(false);
  expect(await verifyPassword(stored, 'nine green bottles ')).toBe(false);
});

test('passwords compare as typed: composed and decomposed letters differ', async () => {
  const stored = await hashPassword('café au lait'.normalize('NFC'));
  expect(await verifyPassword(stored, 'café au lait'.normalize('NFC'))).toBe(true);
  expect(await verifyPassword(stored, 'café au lait'.normalize('NFD'))).toBe(false);
});

test('verifying for an unknown user fails after the same work', async () => {
  expect(await verifyPassword(null, 'nine green bottles')).toBe(false);
  const cost = (stored: string | undefined) => stored?.split('$').slice(0, 4);
  expect(cost(verified.at(-1))).toEqual(cost(await hashPassword('nine green bottles')));
  expect(verified.at(-1)).toHaveLength((await hashPassword('nine green bottles')).length);
});

test('a hash with other parameters matches and is recognized as outdated', async () => {
  const stored = await hash('nine green bottles', { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
  expect(await verifyPassword(stored, 'nine green bottles')).toBe(true);
  expect(isOutdated(stored)).toBe(true);
  expect(isOutdated(await hashPassword('nine green bottles'))).toBe(false);
});

test('hashing has a concurrency limit and keeps the order, also after failures', async () => {
  const take = createSemaphore(3);
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

test.each(['password', 'PassWord1', '12345678', 'qwertyuiop', 'zzzzzzzzzzzz', '!!!!!!!!', 'hattrick', 'Roadrunner'])(
  '%s is common',
  (password) => {
    expect(isCommonPassword(password)).toBe(true);
  },
);

test.each(['nine green bottles', 'correct horse', 'Tr0ub4dor&3', 'password of mine'])(
  '%s is not common',
  (password) => {
    expect(isCommonPassword(password)).toBe(false);
  },
);

test('three thousand passwords are common, each of a length that a password may have', () => {
  expect(COMMON.size).toBeGreaterThanOrEqual(3000);
  expect([...COMMON].filter((password) => password.length < 8 || password !== password.toLowerCase())).toEqual([]);
});
