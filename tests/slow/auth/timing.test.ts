// That time reveals to nobody whether an account exists: measured, and so on its own.
import { limits } from '@parley/db/tables/limits';
import { hashPassword, verifyPassword } from '@parley/server/auth/password/password-hash';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccounts, createBrowser, reasonOfRefusal } from '../../integration/auth/browser.ts';
import { createTestDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.query.delete(limits);
});
afterAll(() => database.drop());

test('signing in as nobody costs the processor as much as with a wrong password', async () => {
  const { deps } = await createAccounts(database.db, { LOGIN_MAX: '1000' });
  await createBrowser(deps).register('alice');
  const browser = createBrowser(deps);
  const cost = async (name: string) => {
    const before = process.cpuUsage();
    await reasonOfRefusal(browser.login(name, 'ten green bottles'));
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  await expectToCostTheSame(
    () => cost('alice'),
    () => cost('nobody'),
  );
});

test('comparing with no password takes as long as with a wrong one', async () => {
  const stored = await hashPassword('nine green bottles');
  const time = async (hash: string | null) => {
    const began = performance.now();
    await verifyPassword(hash, 'ten green bottles');
    return performance.now() - began;
  };
  await expectToCostTheSame(
    () => time(stored),
    () => time(null),
  );
});

/** Of each the least: what is more comes from the machine, which may need some rounds to be quiet once. */
async function expectToCostTheSame(one: () => Promise<number>, other: () => Promise<number>) {
  const least = { one: Infinity, other: Infinity };
  const apart = () => Math.abs(least.other / least.one - 1);
  for (let round = 0; round < 25 || (round < 250 && apart() >= 0.2); round++) {
    least.one = Math.min(least.one, await one());
    least.other = Math.min(least.other, await other());
  }
  expect(apart()).toBeLessThan(0.2);
}
