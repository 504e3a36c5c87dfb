// What counts against a user, and the bans that follow: of the user, and of the network.
import { networkBans, violations as table } from '@parley/db/tables/limits';
import { sessions, users } from '@parley/db/tables/users';
import { revokeAllSessions, sweepExpired } from '@parley/server/auth/session/sessions';
import { banNetwork, sweepNetworkBans } from '@parley/server/auth/network-bans';
import { createViolations } from '@parley/server/abuse/violations';
import { and, eq, gt, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { createAccounts, createBrowser, reasonOfRefusal } from '../auth/browser.ts';

const HOUR_MS = 3_600_000;
const BANS = { BAN_VIOLATIONS: 'true', REGISTER_MAX: '1000', LOGIN_MAX: '1000' };
/** Of the internet: the networks that documents use are nobody's. */
const CAFE = '93.184.216.7';

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(over);
afterAll(() => database.drop());

describe('a violation', () => {
  it('is counted by its type, with the configured scores', async () => {
    const { count, userId, lines } = await setUp('alice', { ILLEGAL_MODEL_REQ_SCORE: '7', BAN_VIOLATIONS: 'false' });
    expect(await count('concurrent')).toEqual({ before: 0, after: 1 });
    expect(await count('concurrent')).toEqual({ before: 1, after: 2 });
    expect(await count('message_limit')).toEqual({ before: 0, after: 1 });
    expect(await count('illegal_model_request')).toEqual({ before: 0, after: 7 });
    const rows = await database.db.query.select().from(table).where(eq(table.userId, userId));
    expect(rows.map(({ type, count, score }) => [type, count, score]).toSorted()).toEqual([
      ['concurrent', 2, 2],
      ['illegal_model_request', 1, 7],
      ['message_limit', 1, 1],
    ]);
    expect(lines.some((line) => line.includes('"violation":"concurrent"') && line.includes(userId))).toBe(true);
    expect(lines.join('')).not.toContain('alice@example.com');
  });

  it('leads to no ban when bans are off', async () => {
    const { count, browser } = await setUp('amy', { BAN_VIOLATIONS: 'false', CONCURRENT_VIOLATION_SCORE: '500' });
    await count('concurrent');
    expect((await browser.me()).name).toBe('amy');
  });

  it('is counted by each of several processes at once', async () => {
    const { count, userId } = await setUp('ann', { BAN_VIOLATIONS: 'false' });
    await Promise.all(Array.from({ length: 20 }, () => count('concurrent')));
    const [row] = await database.db.query.select().from(table).where(eq(table.userId, userId));
    expect(row).toMatchObject({ count: 20, score: 20 });
  });
});

describe('a ban', () => {
  it('begins each time the score reaches a multiple of the interval, and not in between', async () => {
    const { count, bannedUntil, unban } = await setUp('bob', { BAN_INTERVAL: '3' });
    expect([await count('concurrent'), await bannedUntil()]).toEqual([{ before: 0, after: 1 }, null]);
    expect([await count('concurrent'), await bannedUntil()]).toEqual([{ before: 1, after: 2 }, null]);
    expect(await count('concurrent')).toEqual({ before: 2, after: 3 });
    expect(await bannedUntil()).not.toBeNull();
    await unban();
    await count('concurrent');
    expect(await bannedUntil()).toBeNull();
  });

  it('ends all sessions at once and refuses sign-ins until it is over', async () => {
    const { count, browser, userId, unban } = await setUp('ben', { BAN_INTERVAL: '1' }, '127.0.0.1');
    expect((await browser.me()).name).toBe('ben');
    await count('concurrent');
    const good = and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`));
    expect(await database.db.query.$count(sessions, good)).toBe(0);
    expect(await reasonOfRefusal(browser.me())).toMatchObject({ type: 'unauthorized' });
    const refused = await reasonOfRefusal(browser.login('ben'));
    const until = refused?.type === 'banned' && refused.until !== null ? Date.parse(refused.until) : 0;
    expect(until - Date.now()).toBeGreaterThan(1.9 * HOUR_MS);
    expect(until - Date.now()).toBeLessThan(2.1 * HOUR_MS);
    await unban();
    expect((await browser.login('ben')).user.name).toBe('ben');
  });

  it('is reported to a request with the old cookie while it lasts', async () => {
    const { count, browser, userId, bannedUntil, unban } = await setUp('berta', { BAN_INTERVAL: '1' }, '127.0.0.1');
    const mine = eq(sessions.userId, userId);
    await count('concurrent');
    const until = new Date((await bannedUntil()) ?? '').toISOString();
    await sweepExpired(database.db);
    for (let n = 0; n < 2; n++) expect(await reasonOfRefusal(browser.refresh())).toEqual({ type: 'banned', until });
    await unban();
    expect(await reasonOfRefusal(browser.refresh())).toEqual({ type: 'unauthorized' });
    expect(browser.cookie).toBe('');
    await sweepExpired(database.db);
    expect(await database.db.query.$count(sessions, mine)).toBe(0);
  });

  it('only ends the sessions when it has no duration', async () => {
    const { count, browser, bannedUntil } = await setUp('bill', { BAN_INTERVAL: '1', BAN_DURATION: '0' });
    await count('concurrent');
    expect(await bannedUntil()).toBeNull();
    expect(await reasonOfRefusal(browser.me())).toMatchObject({ type: 'unauthorized' });
    expect((await browser.login('bill')).user.name).toBe('bill');
  });

  it('is reported to an access token that was valid before it', async () => {
    const { count, browser, deps } = await setUp('bea', { BAN_INTERVAL: '1' });
    await count('concurrent');
    const token = browser.token ?? '';
    expect(await deps.auth.authenticate(token)).toBeNull();
    expect(Date.parse((await deps.auth.bannedUntil(token)) ?? '')).toBeGreaterThan(Date.now());
    expect(await deps.auth.bannedUntil('made.up.token')).toBeNull();
  });

  it('differs from ending all sessions', async () => {
    const { browser, deps, userId } = await setUp('bess', {});
    await revokeAllSessions(database.db, userId);
    deps.auth.invalidateUser(userId);
    expect(await deps.auth.bannedUntil(browser.token ?? '')).toBeNull();
  });
});

describe('the network of a banned user', () => {
  it('refuses sign-ins and registrations for the same time and leaves its signed-in users alone', async () => {
    const neighbours = await setUp('carol', {}, CAFE);
    const { count } = await setUp('carl', { BAN_INTERVAL: '1' }, CAFE);
    await count('concurrent');
    expect((await neighbours.browser.me()).name).toBe('carol');
    expect((await neighbours.browser.refresh())?.user.name).toBe('carol');
    const guest = createBrowser(neighbours.deps, { ip: CAFE });
    expect(await reasonOfRefusal(guest.login('carol'))).toMatchObject({ type: 'banned' });
    expect(await reasonOfRefusal(guest.register('cornelius'))).toMatchObject({ type: 'banned' });
    const elsewhere = createBrowser(neighbours.deps, { ip: '93.184.216.8' });
    expect((await elsewhere.login('carol')).user.name).toBe('carol');
    await over();
    expect((await guest.login('carol')).user.name).toBe('carol');
  });

  it('is not banned again before it has been free for as long as the ban lasted', async () => {
    const { db } = database;
    const ip = '93.184.216.20';
    expect(await banNetwork(db, ip, HOUR_MS)).toBe(ip);
    expect(await banNetwork(db, ip, HOUR_MS), 'while it lasts').toBeNull();
    await endedSince(ip, 50);
    expect(await banNetwork(db, ip, HOUR_MS), 'soon after').toBeNull();
    await endedSince(ip, 61);
    expect(await banNetwork(db, ip, HOUR_MS), 'long after').toBe(ip);
  });

  it.each([
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '192.168.0.9',
    '172.20.0.1',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '',
    'nonsense',
  ])('is not banned when it is not a public address: many users may share %s', async (ip) => {
    expect(await banNetwork(database.db, ip, HOUR_MS)).toBeNull();
  });

  it('is forgotten when its ban no longer matters', async () => {
    const { db } = database;
    await banNetwork(db, '93.184.216.30', HOUR_MS);
    await banNetwork(db, '93.184.216.31', HOUR_MS);
    await endedSince('93.184.216.30', 61);
    await sweepNetworkBans(db, HOUR_MS);
    const left = (await db.query.select().from(networkBans)).map(({ network }) => network);
    expect(left).toContain('93.184.216.31');
    expect(left).not.toContain('93.184.216.30');
  });
});

/** A person in a browser, and a server with these settings that counts against them. */
async function setUp(name: string, env: Record<string, string>, ip = '93.184.215.77') {
  const { deps, lines } = await createAccounts(database.db, { ...BANS, ...env });
  const browser = createBrowser(deps, { ip });
  const { user } = await browser.register(name);
  const { db, log, auth, config } = deps;
  const violations = createViolations({ db, log, auth, bans: config.bans });
  const mine = eq(users.id, user.id);
  return {
    deps,
    lines,
    browser,
    userId: user.id,
    count: (type: Parameters<typeof violations.count>[1]) => violations.count({ userId: user.id, ip }, type),
    async bannedUntil() {
      const [row] = await db.query.select({ until: users.bannedUntil }).from(users).where(mine);
      return row?.until ?? null;
    },
    async unban() {
      await db.query.update(users).set({ bannedUntil: null }).where(mine);
      await over();
    },
  };
}

/** All bans of networks have run out. */
async function over(): Promise<void> {
  await database.db.query.delete(networkBans);
}

async function endedSince(network: string, minutes: number): Promise<void> {
  const until = sql`now() - make_interval(mins => ${minutes})`;
  await database.db.query.update(networkBans).set({ until }).where(eq(networkBans.network, network));
}
