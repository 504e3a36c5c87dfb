import { connect } from '@parley/db/client';
import { limits } from '@parley/db/tables/limits';
import { consume, ipNetwork, sweepRateLimits } from '@parley/server/platform/rate-limiter';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('so many hits are allowed, then none until the first of them leaves the window', async () => {
  const start = new Date('2030-01-01T12:00:00Z');
  const attempt = (at: Date) => consume(database.db, 'window', 3, 300, at);
  for (let n = 0; n < 3; n++) expect(await attempt(after(start, n))).toMatchObject({ allowed: true });
  expect(await attempt(after(start, 60))).toEqual({ allowed: false, retryAfterSeconds: 240 });
  expect(await attempt(after(start, 299.5))).toEqual({ allowed: false, retryAfterSeconds: 1 });
  expect(await attempt(after(start, 300))).toMatchObject({ allowed: true });
  expect(await attempt(after(start, 300))).toEqual({ allowed: false, retryAfterSeconds: 1 });
  expect(await attempt(after(start, 302))).toMatchObject({ allowed: true });
});

test('no window of that length holds more hits, wherever it begins', async () => {
  const start = new Date('2030-01-01T12:00:30Z');
  const allowed: number[] = [];
  for (let second = 0; second < 400; second += 4)
    if ((await consume(database.db, 'any', 4, 60, after(start, second))).allowed) allowed.push(second);
  const counts = allowed.map((from) => allowed.filter((one) => one >= from && one < from + 60).length);
  expect(Math.max(...counts)).toBe(4);
  expect(allowed).toHaveLength(28);
});

test('refused attempts do not extend the wait', async () => {
  const start = new Date('2030-01-01T12:00:00Z');
  for (let second = 0; second < 60; second++) await consume(database.db, 'eager', 1, 60, after(start, second));
  expect(await consume(database.db, 'eager', 1, 60, after(start, 60))).toMatchObject({ allowed: true });
});

test('a lowered limit counts the hits that were allowed before', async () => {
  const start = new Date('2030-01-01T12:00:00Z');
  for (let second = 0; second < 10; second++) await consume(database.db, 'lowered', 10, 60, after(start, second));
  expect(await consume(database.db, 'lowered', 2, 60, after(start, 10))).toEqual({
    allowed: false,
    retryAfterSeconds: 58,
  });
});

test('keys have separate counters', async () => {
  expect(await consume(database.db, 'alice', 1, 60)).toMatchObject({ allowed: true });
  expect(await consume(database.db, 'bob', 1, 60)).toMatchObject({ allowed: true });
});

test('simultaneous attempts of several processes are all counted', async () => {
  const other = connect(database.connection);
  const at = new Date('2030-01-01T12:00:00Z');
  const attempts = Array.from({ length: 60 }, (_, n) => consume(n % 2 ? other : database.db, 'rush', 25, 60, at));
  const verdicts = await Promise.all(attempts);
  await other.end();
  expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(25);
});

test('a window may be a fraction of a minute', async () => {
  const at = new Date('2030-01-01T12:00:00Z');
  expect(await consume(database.db, 'fraction', 1, 4.5, at)).toMatchObject({ allowed: true });
  expect((await consume(database.db, 'fraction', 1, 4.5, at)).allowed).toBe(false);
  expect((await consume(database.db, 'fraction', 1, 4.5, after(at, 4.5))).allowed).toBe(true);
});

test('the clock of the database decides without a given time', async () => {
  const { allowed, retryAfterSeconds } = await consume(database.db, 'now', 1, 60);
  expect(allowed).toBe(true);
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
  expect(retryAfterSeconds).toBeLessThanOrEqual(60);
});

test('expired counters are swept', async () => {
  await consume(database.db, 'over', 1, 60, new Date('2020-01-01T12:00:00Z'));
  await consume(database.db, 'open', 1, 86_400);
  await sweepRateLimits(database.db);
  const keys = (await database.db.query.select({ key: limits.key }).from(limits)).map(({ key }) => key);
  expect(keys).toContain('open');
  expect(keys).not.toContain('over');
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['::1', '::/64'],
  ['not an address', 'unknown'],
])('%s is counted as %s', (ip, network) => {
  expect(ipNetwork(ip)).toBe(network);
});

function after(date: Date, seconds: number) {
  return new Date(date.getTime() + seconds * 1000);
}
