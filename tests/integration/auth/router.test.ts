import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as TimersPromises from 'node:timers/promises';
import type * as Argon2 from '@node-rs/argon2';
import { hash } from '@node-rs/argon2';
import { limits } from '@parley/db/tables/limits';
import { sessions, users } from '@parley/db/tables/users';
import { sentences } from '@parley/schema/accounts/users';
import { TOO_COMMON } from '@parley/server/auth/password/common-passwords';
import { loadConfig } from '@parley/server/load-config';
import { findUserByEmail } from '@parley/server/auth/users';
import { decodeJwt } from 'jose';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { createFolder } from '../../support/folders.ts';
import { PASSWORD, createAccounts, createBrowser, reasonOfRefusal } from './browser.ts';

const HOUR = 3_600_000;

const seen = vi.hoisted(() => ({ sleeps: [] as number[], verified: [] as string[] }));

/** What the server waits for is noted, and over at once. */
vi.mock('node:timers/promises', async (load) => {
  const timers = await load<typeof TimersPromises>();
  return { ...timers, setTimeout: async (ms = 0) => void seen.sleeps.push(ms) };
});

/** Which hash a password is compared with is noted; it is compared all the same. */
vi.mock('@node-rs/argon2', async (load) => {
  const argon = await load<typeof Argon2>();
  const verify = (stored: string, password: string) => {
    seen.verified.push(stored);
    return argon.verify(stored, password);
  };
  return { ...argon, verify };
});

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let accounts: Awaited<ReturnType<typeof createAccounts>>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  await database.db.query.delete(users);
  await database.db.query.delete(limits);
  seen.sleeps.length = 0;
  seen.verified.length = 0;
  accounts = await createAccounts(database.db);
});

describe('registering', () => {
  test('returns an access token, the user and the cookie', async () => {
    const browser = createBrowser(accounts.deps);
    const { token, user } = await browser.register('alice');
    expect(user).toMatchObject({ email: 'alice@example.com', name: 'alice', username: null, provider: 'local' });
    expect(user).not.toHaveProperty('passwordHash');
    expect(decodeJwt(token)).toMatchObject({ id: user.id, email: user.email, provider: 'local', username: null });
    expect(browser.answered.get('set-cookie')).toMatch(/^refreshToken=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict;/);
    expect(await browser.me()).toEqual(user);
  });

  test('stores e-mail and user name in lower case and the name as typed', async () => {
    const api = await createBrowser(accounts.deps).api();
    const { user } = await api.register({
      name: '  Alice Li ',
      username: ' Alice.Li ',
      email: ' Alice@Example.COM ',
      password: PASSWORD,
      confirm_password: PASSWORD,
    });
    expect(user).toMatchObject({ name: 'Alice Li', username: 'alice.li', email: 'alice@example.com' });
  });

  test('stores the password only as a hash', async () => {
    await createBrowser(accounts.deps).register('alice');
    const alice = await findUserByEmail(database.db, 'alice@example.com');
    expect(alice?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(alice)).not.toContain(PASSWORD);
  });

  test('answers a taken e-mail address after a second, with a general error', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    expect(await reasonOfRefusal(browser.register('alice'))).toEqual({ type: 'registration_failed' });
    expect(seen.sleeps).toEqual([1000]);
    expect(await database.db.query.select().from(users)).toHaveLength(1);
  });

  test('is refused when it is closed, before the form is checked', async () => {
    const { deps } = await createAccounts(database.db, { ALLOW_REGISTRATION: 'false' });
    const api = await createBrowser(deps).api();
    const empty = { name: '', email: '', password: '', confirm_password: '' };
    expect(await reasonOfRefusal(api.register(empty))).toEqual({ type: 'registration_closed' });
    expect(await reasonOfRefusal(createBrowser(deps).register('alice'))).toEqual({ type: 'registration_closed' });
  });

  test('and password sign-in can be off: right and wrong passwords are refused alike, and sessions stay', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const { deps } = await createAccounts(database.db, { ALLOW_EMAIL_LOGIN: 'false' });
    const api = await createBrowser(deps).api();
    for (const password of [PASSWORD, 'the wrong one', '']) {
      const refusal = reasonOfRefusal(api.login({ email: 'alice@example.com', password }));
      expect(await refusal).toEqual({ type: 'email_login_closed' });
    }
    expect(await (await browser.api()).refresh()).toMatchObject({ user: { email: 'alice@example.com' } });
  });

  test('is limited to the allowed domains', async () => {
    const path = join(createFolder(), 'parley.yaml');
    writeFileSync(path, 'version: 1.0.7\nregistration:\n  allowedDomains: [Example.com]\n');
    const { deps } = await createAccounts(database.db, { CONFIG_PATH: path });
    await createBrowser(deps).register('alice');
    for (const email of ['bob@elsewhere.example', 'bob@sub.example.com', 'bob@example.com@elsewhere.example']) {
      const refusal = reasonOfRefusal(
        createBrowser(deps)
          .api()
          .then((api) => api.register(signUpOf({ email }))),
      );
      expect(await refusal).toEqual({ type: 'email_domain_not_allowed' });
    }
  });

  test('is limited to five accounts an hour for an address', async () => {
    const browser = createBrowser(accounts.deps);
    for (const name of ['alice', 'bob', 'carol', 'dave', 'erin']) await browser.register(name);
    const refusal = await reasonOfRefusal(browser.register('frank'));
    expect(refusal).toEqual({ type: 'too_many_attempts', retryAfterSeconds: expect.any(Number) });
    expect(Number(browser.answered.get('retry-after'))).toBeGreaterThan(0);
    await createBrowser(accounts.deps, { ip: '203.0.113.6' }).register('frank');
  });

  test.each([
    [{ name: '' }, sentences.nameRequired],
    [{ name: '  ' }, sentences.nameRequired],
    [{ name: 'ab' }, sentences.nameMin],
    [{ name: 'a'.repeat(80) }, sentences.nameMax],
    [{ username: 'a' }, sentences.usernameMin],
    [{ username: 'a'.repeat(21) }, sentences.usernameMax],
    [{ username: '{"$ne": 1}' }, sentences.usernameCharacters],
    [{ email: '' }, sentences.emailRequired],
    [{ email: 'a@b.c' }, sentences.emailMin],
    [{ email: `${'a'.repeat(110)}@example.com` }, sentences.emailMax],
    [{ email: 'alice.example.com' }, sentences.emailPattern],
    [{ password: '' }, sentences.passwordRequired],
    [{ password: 'seven77' }, sentences.passwordMin],
    [{ password: 'a1'.repeat(64) }, sentences.passwordMax],
    [{ confirm_password: 'ten green bottles' }, sentences.passwordMatch],
    [{ password: 'Password1', confirm_password: 'Password1' }, TOO_COMMON],
    [{ name: 'ab\u0000' }, sentences.nameMin],
    [{ email: 'a\u0000@b.c\u0000' }, sentences.emailMin],
  ])('with %j is refused with a sentence', async (input, text) => {
    const api = await createBrowser(accounts.deps).api();
    expect(await reasonOfRefusal(api.register(signUpOf(input)))).toEqual({ type: 'invalid_input', text });
    expect(await database.db.query.select().from(users)).toEqual([]);
  });

  test('cleans text that PostgreSQL cannot store', async () => {
    const api = await createBrowser(accounts.deps).api();
    const { user } = await api.register(signUpOf({ name: 'Al\u0000ice \ud83d', email: 'ali\u0000ce@example.com' }));
    expect(user).toMatchObject({ name: 'Alice \ufffd', email: 'alice@example.com' });
  });
});

describe('signing in', () => {
  test('returns an access token, the user and the cookie, whatever the case of the e-mail', async () => {
    const { user } = await createBrowser(accounts.deps).register('alice');
    const browser = createBrowser(accounts.deps);
    const answer = await browser.login('ALICE');
    expect(answer).toEqual({ token: expect.any(String), user });
    expect(browser.cookie).toMatch(/^refreshToken=/);
    expect(await browser.me()).toEqual(user);
  });

  test('answers an unknown e-mail and a wrong password alike', async () => {
    await createBrowser(accounts.deps).register('alice');
    const browser = createBrowser(accounts.deps);
    const wrong = await reasonOfRefusal(browser.login('alice', 'ten green bottles'));
    const unknown = await reasonOfRefusal(browser.login('nobody', 'ten green bottles'));
    expect(wrong).toEqual({ type: 'invalid_credentials' });
    expect(unknown).toEqual(wrong);
    expect(browser.cookie).toBe('');
  });

  test('does the same work for an unknown e-mail and a wrong password', async () => {
    await createBrowser(accounts.deps).register('alice');
    const browser = createBrowser(accounts.deps);
    for (const name of ['alice', 'nobody']) await reasonOfRefusal(browser.login(name, 'ten green bottles'));
    const costs = seen.verified.map((stored) => stored.split('$').slice(0, 4).join('$'));
    expect(costs).toEqual(['$argon2id$v=19$m=19456,t=2,p=1', '$argon2id$v=19$m=19456,t=2,p=1']);
  });

  test('is refused for a user without a password', async () => {
    await createBrowser(accounts.deps).register('alice');
    await database.db.query.update(users).set({ passwordHash: null });
    expect(await reasonOfRefusal(createBrowser(accounts.deps).login('alice'))).toEqual({ type: 'invalid_credentials' });
  });

  test('renews a hash with outdated parameters', async () => {
    await createBrowser(accounts.deps).register('alice');
    const passwordHash = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1 });
    await database.db.query.update(users).set({ passwordHash });
    await createBrowser(accounts.deps).login('alice');
    const alice = await findUserByEmail(database.db, 'alice@example.com');
    expect(alice?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await createBrowser(accounts.deps).login('alice');
  });

  test('reveals a ban only to who knows the password', async () => {
    const { user } = await createBrowser(accounts.deps).register('alice');
    const until = new Date(Date.now() + HOUR).toISOString();
    await database.db.query.update(users).set({ bannedUntil: until }).where(eq(users.id, user.id));
    const browser = createBrowser(accounts.deps);
    const wrong = await reasonOfRefusal(browser.login('alice', 'ten green bottles'));
    expect(wrong).toEqual({ type: 'invalid_credentials' });
    expect(await reasonOfRefusal(browser.login('alice'))).toEqual({ type: 'banned', until });
    expect(browser.cookie).toBe('');
  });

  test('is limited to seven attempts in five minutes for an address, right or wrong', async () => {
    const { limits } = await loadConfig({ env: {}, cwd: createFolder() });
    expect(limits.login).toEqual({ max: 7, windowInMinutes: 5 });
    await createBrowser(accounts.deps).register('alice');
    const browser = createBrowser(accounts.deps);
    for (let n = 0; n < 7; n++) await reasonOfRefusal(browser.login(`person${n}`, 'ten green bottles'));
    const refusal = await reasonOfRefusal(browser.login('alice'));
    expect(refusal).toEqual({ type: 'too_many_attempts', retryAfterSeconds: expect.any(Number) });
    expect(Number(browser.answered.get('retry-after'))).toBeGreaterThan(0);
    await createBrowser(accounts.deps, { ip: '203.0.113.6' }).login('alice');
  });

  test('slows guesses from many addresses at one account and lets its owner in', async () => {
    const { deps } = await createAccounts(database.db, { LOGIN_MAX: '2' });
    await createBrowser(deps).register('alice');
    for (let n = 0; n < 6; n++) await guess(n);
    const attacker = createBrowser(deps, { ip: '198.51.100.200' });
    await reasonOfRefusal(attacker.login('alice', 'ten green bottles'));
    seen.sleeps.length = 0;
    await createBrowser(deps, { ip: '203.0.113.9' }).login('alice');
    expect(seen.sleeps).toEqual([1000]);

    function guess(n: number) {
      const { login } = createBrowser(deps, { ip: `198.51.100.${n}` });
      return reasonOfRefusal(login('alice', 'ten green bottles'));
    }
  });

  test('allows an address two more attempts at an account under attack', async () => {
    const { deps } = await createAccounts(database.db, { LOGIN_MAX: '3' });
    await createBrowser(deps).register('alice');
    for (let n = 0; n < 9; n++) {
      const attacker = createBrowser(deps, { ip: `198.51.100.${n}` });
      await reasonOfRefusal(attacker.login('alice', 'ten green bottles'));
    }
    const browser = createBrowser(deps, { ip: '203.0.113.9' });
    await reasonOfRefusal(browser.login('alice', 'ten green bottles'));
    await reasonOfRefusal(browser.login('alice', 'ten green bottles'));
    expect(await reasonOfRefusal(browser.login('alice'))).toMatchObject({ type: 'too_many_attempts' });
  });

  test('keeps e-mails, passwords and tokens out of counters and log', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const { token } = await browser.login('alice');
    await reasonOfRefusal(browser.login('alice', 'ten green bottles'));
    await browser.refresh();
    await browser.logout();
    const written = JSON.stringify([accounts.lines, await database.db.query.select().from(limits)]);
    for (const secret of [
      'alice',
      '@example',
      PASSWORD,
      'ten green bottles',
      token,
      browser.cookie || 'refreshToken',
    ]) {
      expect(written).not.toContain(secret);
    }
    expect(auditOf(accounts.lines)).toEqual(['registered', 'signed_in', 'sign_in_failed', 'signed_out']);
  });

  test.each([
    [{ email: '', password: PASSWORD }, sentences.emailRequired],
    [{ email: 'alice', password: PASSWORD }, sentences.emailPattern],
    [{ email: `${'a'.repeat(110)}@example.com`, password: PASSWORD }, sentences.emailMax],
    [{ email: 'alice@example.com', password: '' }, sentences.passwordRequired],
    [{ email: 'alice@example.com', password: 'seven77' }, sentences.passwordMin],
    [{ email: 'alice@example.com', password: 'a1'.repeat(65) }, sentences.passwordMax],
  ])('with %j is refused with a sentence', async (input, text) => {
    const api = await createBrowser(accounts.deps).api();
    expect(await reasonOfRefusal(api.login(input))).toEqual({ type: 'invalid_input', text });
  });

  test('is no server error with a NUL in the e-mail', async () => {
    const api = await createBrowser(accounts.deps).api();
    const refusal = reasonOfRefusal(api.login({ email: 'ali\u0000ce@example.com', password: PASSWORD }));
    expect(await refusal).toEqual({ type: 'invalid_credentials' });
  });
});

describe('refreshing', () => {
  test('returns nothing and no error without a cookie', async () => {
    expect(await createBrowser(accounts.deps).refresh()).toBeNull();
  });

  test('returns a new access token and the next cookie; the earlier access token stays valid', async () => {
    const browser = createBrowser(accounts.deps);
    const { token, user } = await browser.register('alice');
    const { cookie } = browser;
    const answer = await browser.refresh();
    expect(answer?.user).toEqual(user);
    expect(browser.cookie).not.toBe(cookie);
    expect(await browser.me()).toEqual(user);
    browser.token = token;
    expect(await browser.me()).toEqual(user);
  });

  test('keeps twelve tabs with one cookie signed in', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const tabs = Array.from({ length: 12 }, () => createBrowser(accounts.deps, { cookie: browser.cookie }));
    const answers = await Promise.all(tabs.map((tab) => tab.refresh()));
    expect(answers.every((answer) => answer?.user.name === 'alice')).toBe(true);
    for (const tab of tabs) expect((await tab.me()).name).toBe('alice');
  });

  test('ends the session with a cookie used long ago, clears the cookie and writes an audit line', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const thief = createBrowser(accounts.deps, { cookie: browser.cookie });
    await browser.refresh();
    await database.db.query.update(sessions).set({ rotatedAt: new Date(Date.now() - 11_000) });
    expect(await reasonOfRefusal(thief.refresh())).toEqual({ type: 'unauthorized' });
    expect(thief.cookie).toBe('');
    expect(await reasonOfRefusal(browser.me())).toEqual({ type: 'unauthorized' });
    expect(await reasonOfRefusal(browser.refresh())).toEqual({ type: 'unauthorized' });
    expect(auditOf(accounts.lines)).toContain('token_reused');
  });

  test('refuses an unknown or expired cookie and clears it', async () => {
    const made = createBrowser(accounts.deps, { cookie: `refreshToken=${randomUUID()}` });
    expect(await reasonOfRefusal(made.refresh())).toEqual({ type: 'unauthorized' });
    expect(made.answered.get('set-cookie')).toMatch(/^refreshToken=; .*Expires=Thu, 01 Jan 1970/);
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    await database.db.query.update(sessions).set({ expiresAt: new Date(Date.now() - 1000) });
    expect(await reasonOfRefusal(browser.refresh())).toEqual({ type: 'unauthorized' });
    expect(browser.cookie).toBe('');
  });

  test('is refused during a ban and works with the same cookie after it', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const until = new Date(Date.now() + HOUR).toISOString();
    await database.db.query.update(users).set({ bannedUntil: until });
    expect(await reasonOfRefusal(browser.refresh())).toEqual({ type: 'banned', until });
    await database.db.query.update(users).set({ bannedUntil: null });
    expect((await browser.refresh())?.user.name).toBe('alice');
  });

  test('is limited to three hundred times a minute for an address', async () => {
    await countRefreshes(297);
    const tabs = Array.from({ length: 5 }, () => createBrowser(accounts.deps, { cookie: 'refreshToken=none' }));
    const reasons = await Promise.all(tabs.map((tab) => reasonOfRefusal(tab.refresh())));
    expect(reasons.filter((reason) => reason?.type === 'unauthorized')).toHaveLength(3);
    expect(reasons.filter((reason) => reason?.type === 'too_many_attempts')).toHaveLength(2);
  });
});

describe('signing out', () => {
  test('ends the session with its access token and clears the cookie', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const { cookie } = browser;
    expect(await browser.logout()).toBeNull();
    expect(browser.cookie).toBe('');
    expect(await reasonOfRefusal(browser.me())).toEqual({ type: 'unauthorized' });
    const kept = createBrowser(accounts.deps, { cookie });
    expect(await reasonOfRefusal(kept.refresh())).toEqual({ type: 'unauthorized' });
  });

  test('keeps other browsers of the user signed in', async () => {
    const laptop = createBrowser(accounts.deps);
    const phone = createBrowser(accounts.deps);
    await laptop.register('alice');
    await phone.login('alice');
    await laptop.logout();
    expect((await phone.refresh())?.user.name).toBe('alice');
  });

  test('works by the access token when the cookie is lost', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    browser.cookie = '';
    await browser.logout();
    expect(await reasonOfRefusal(browser.me())).toEqual({ type: 'unauthorized' });
  });

  test('succeeds when repeated or without a session', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    await browser.logout();
    expect(await browser.logout()).toBeNull();
    expect(await createBrowser(accounts.deps).logout()).toBeNull();
  });
});

describe('pages of other sites', () => {
  test('cannot sign in, refresh or sign out', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const headers = { origin: 'https://elsewhere.example', host: 'localhost:3080' };
    const led = createBrowser(accounts.deps, { cookie: browser.cookie, headers });
    const calls = [led.refresh(), led.logout(), led.login('alice'), led.register('bob')];
    const reasons = await Promise.all(calls.map(reasonOfRefusal));
    expect(reasons).toEqual(Array(4).fill({ type: 'forbidden' }));
    expect((await browser.refresh())?.user.name).toBe('alice');
  });

  test('do not include the own site', async () => {
    const headers = { origin: 'http://localhost:3080', host: 'localhost:3080' };
    expect((await createBrowser(accounts.deps, { headers }).register('alice')).user.name).toBe('alice');
  });
});

test('the balance of a new user is empty, and reading it requires a session', async () => {
  const browser = createBrowser(accounts.deps);
  expect(await reasonOfRefusal(browser.api().then((api) => api.balance()))).toEqual({ type: 'unauthorized' });
  await browser.register('alice');
  expect(await (await browser.api()).balance()).toBe('');
});

function signUpOf(input: Partial<Record<'name' | 'username' | 'email' | 'password' | 'confirm_password', string>>) {
  return { name: 'Alice', email: 'alice@example.com', password: PASSWORD, confirm_password: PASSWORD, ...input };
}

function auditOf(lines: string[]) {
  return lines.map((line) => JSON.parse(line).audit);
}

/** As if the tests' address had refreshed so often in this minute, and in the next one, should it begin meanwhile. */
async function countRefreshes(count: number) {
  await createBrowser(accounts.deps, { cookie: 'refreshToken=none' })
    .refresh()
    .catch(() => {});
  // An hour ahead, so that none of them leaves the window while the test runs.
  await database.db.sql`
    update limits set hits = array_fill(now() + interval '1 hour', array[${count}::int]) where key like 'refresh:ip:%'`;
}
