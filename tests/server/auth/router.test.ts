import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { hash } from '@node-rs/argon2';
import { limits } from '@parley/db/tables/limits';
import { sessions, users } from '@parley/db/tables/users';
import { sentences } from '@parley/schema/users';
import { TOO_COMMON } from '@parley/server/auth/common-passwords';
import { findUserByEmail } from '@parley/server/auth/users';
import { decodeJwt } from 'jose';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { createFolder } from '../../support/folders.ts';
import { PASSWORD, createAccounts, createBrowser, earlyInTheMinute, reasonOfRefusal } from './browser.ts';

const HOUR = 3_600_000;

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
  accounts = await createAccounts(database.db);
});

describe('registering', () => {
  test('gives a bearer, the user and the cookie', async () => {
    const browser = createBrowser(accounts.deps);
    const { token, user } = await browser.register('alice');
    expect(user).toMatchObject({ email: 'alice@example.com', name: 'alice', username: null, provider: 'local' });
    expect(user).not.toHaveProperty('passwordHash');
    expect(decodeJwt(token)).toMatchObject({ id: user.id, email: user.email, provider: 'local', username: null });
    expect(browser.answered.get('set-cookie')).toMatch(/^refreshToken=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict;/);
    expect(await browser.me()).toEqual(user);
  });

  test('e-mail and user name are kept in lower case, the name as it was written', async () => {
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

  test('the password is stored only as a hash', async () => {
    await createBrowser(accounts.deps).register('alice');
    const alice = await findUserByEmail(database.db, 'alice@example.com');
    expect(alice?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(alice)).not.toContain(PASSWORD);
  });

  test('a taken e-mail waits a second and says nothing more than that it failed', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const start = performance.now();
    expect(await reasonOfRefusal(browser.register('alice'))).toEqual({ type: 'registration_failed' });
    expect(performance.now() - start).toBeGreaterThan(990);
    expect(await database.db.query.select().from(users)).toHaveLength(1);
  });

  test('a closed registration refuses everybody, before it looks at the form', async () => {
    const { deps } = await createAccounts(database.db, { ALLOW_REGISTRATION: 'false' });
    const api = await createBrowser(deps).api();
    const empty = { name: '', email: '', password: '', confirm_password: '' };
    expect(await reasonOfRefusal(api.register(empty))).toEqual({ type: 'registration_closed' });
    expect(await reasonOfRefusal(createBrowser(deps).register('alice'))).toEqual({ type: 'registration_closed' });
  });

  test('closed sign-in by e-mail refuses the right password like the wrong one, and who is signed in stays so', async () => {
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

  test('only the allowed domains may register', async () => {
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

  test('an address registers five accounts an hour', async () => {
    await earlyInTheMinute();
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
  ])('%j is refused with a sentence', async (input, text) => {
    const api = await createBrowser(accounts.deps).api();
    expect(await reasonOfRefusal(api.register(signUpOf(input)))).toEqual({ type: 'invalid_input', text });
    expect(await database.db.query.select().from(users)).toEqual([]);
  });

  test('text that PostgreSQL cannot store is cleaned', async () => {
    const api = await createBrowser(accounts.deps).api();
    const { user } = await api.register(signUpOf({ name: 'Al\u0000ice \ud83d', email: 'ali\u0000ce@example.com' }));
    expect(user).toMatchObject({ name: 'Alice \ufffd', email: 'alice@example.com' });
  });
});

describe('signing in', () => {
  test('gives a bearer, the user and the cookie, whatever the case of the e-mail', async () => {
    const { user } = await createBrowser(accounts.deps).register('alice');
    const browser = createBrowser(accounts.deps);
    const answer = await browser.login('ALICE');
    expect(answer).toEqual({ token: expect.any(String), user });
    expect(browser.cookie).toMatch(/^refreshToken=/);
    expect(await browser.me()).toEqual(user);
  });

  test('an unknown e-mail and a wrong password are the same', async () => {
    await createBrowser(accounts.deps).register('alice');
    const browser = createBrowser(accounts.deps);
    const wrong = await reasonOfRefusal(browser.login('alice', 'ten green bottles'));
    const unknown = await reasonOfRefusal(browser.login('nobody', 'ten green bottles'));
    expect(wrong).toEqual({ type: 'invalid_credentials' });
    expect(unknown).toEqual(wrong);
    expect(browser.cookie).toBe('');
  });

  test('the work it takes does not tell them apart either', async () => {
    const { deps } = await createAccounts(database.db, { LOGIN_MAX: '1000' });
    await createBrowser(deps).register('alice');
    const browser = createBrowser(deps);
    // Time of the processor: a clock tells of the machine's other work, too. Of each the least, for the same reason.
    const work = { alice: Infinity, nobody: Infinity };
    const apart = () => Math.abs(work.nobody / work.alice - 1);
    for (let round = 0; round < 15 || (round < 150 && apart() >= 0.2); round++) {
      for (const name of ['alice', 'nobody'] as const) {
        const before = process.cpuUsage();
        await reasonOfRefusal(browser.login(name, 'ten green bottles'));
        const { user, system } = process.cpuUsage(before);
        work[name] = Math.min(work[name], user + system);
      }
    }
    expect(apart()).toBeLessThan(0.2);
  });

  test('a user without a password cannot sign in with one', async () => {
    await createBrowser(accounts.deps).register('alice');
    await database.db.query.update(users).set({ passwordHash: null });
    expect(await reasonOfRefusal(createBrowser(accounts.deps).login('alice'))).toEqual({ type: 'invalid_credentials' });
  });

  test('a hash of older parameters is made anew', async () => {
    await createBrowser(accounts.deps).register('alice');
    const passwordHash = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1 });
    await database.db.query.update(users).set({ passwordHash });
    await createBrowser(accounts.deps).login('alice');
    const alice = await findUserByEmail(database.db, 'alice@example.com');
    expect(alice?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await createBrowser(accounts.deps).login('alice');
  });

  test('only who knows the password learns of a ban', async () => {
    const { user } = await createBrowser(accounts.deps).register('alice');
    const until = new Date(Date.now() + HOUR).toISOString();
    await database.db.query.update(users).set({ bannedUntil: until }).where(eq(users.id, user.id));
    const browser = createBrowser(accounts.deps);
    const wrong = await reasonOfRefusal(browser.login('alice', 'ten green bottles'));
    expect(wrong).toEqual({ type: 'invalid_credentials' });
    expect(await reasonOfRefusal(browser.login('alice'))).toEqual({ type: 'banned', until });
    expect(browser.cookie).toBe('');
  });

  test('an address tries seven times in five minutes, right or wrong', async () => {
    await earlyInTheMinute();
    await createBrowser(accounts.deps).register('alice');
    const browser = createBrowser(accounts.deps);
    for (let n = 0; n < 7; n++) await reasonOfRefusal(browser.login(`person${n}`, 'ten green bottles'));
    const refusal = await reasonOfRefusal(browser.login('alice'));
    expect(refusal).toEqual({ type: 'too_many_attempts', retryAfterSeconds: expect.any(Number) });
    expect(Number(browser.answered.get('retry-after'))).toBeLessThanOrEqual(300);
    await createBrowser(accounts.deps, { ip: '203.0.113.6' }).login('alice');
  });

  test('an account under attack from many addresses slows guessing down and lets its owner in', async () => {
    await earlyInTheMinute();
    const { deps } = await createAccounts(database.db, { LOGIN_MAX: '2' });
    await createBrowser(deps).register('alice');
    for (let n = 0; n < 6; n++) await guess(n);
    const attacker = createBrowser(deps, { ip: '198.51.100.200' });
    await reasonOfRefusal(attacker.login('alice', 'ten green bottles'));
    const start = performance.now();
    await createBrowser(deps, { ip: '203.0.113.9' }).login('alice');
    expect(performance.now() - start).toBeGreaterThan(990);

    function guess(n: number) {
      const { login } = createBrowser(deps, { ip: `198.51.100.${n}` });
      return reasonOfRefusal(login('alice', 'ten green bottles'));
    }
  });

  test('under attack an address has two more tries for that account', async () => {
    await earlyInTheMinute();
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

  test('counters and log hold no e-mail, no password and no token', async () => {
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
  ])('%j is refused with a sentence', async (input, text) => {
    const api = await createBrowser(accounts.deps).api();
    expect(await reasonOfRefusal(api.login(input))).toEqual({ type: 'invalid_input', text });
  });

  test('an e-mail with a NUL is no fault of the server', async () => {
    const api = await createBrowser(accounts.deps).api();
    const refusal = reasonOfRefusal(api.login({ email: 'ali\u0000ce@example.com', password: PASSWORD }));
    expect(await refusal).toEqual({ type: 'invalid_credentials' });
  });
});

describe('refreshing', () => {
  test('without a cookie there is nothing, and that is no error', async () => {
    expect(await createBrowser(accounts.deps).refresh()).toBeNull();
  });

  test('gives a new bearer and the next cookie; the earlier bearer stays good', async () => {
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

  test('twelve tabs with one cookie all stay signed in', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const tabs = Array.from({ length: 12 }, () => createBrowser(accounts.deps, { cookie: browser.cookie }));
    const answers = await Promise.all(tabs.map((tab) => tab.refresh()));
    expect(answers.every((answer) => answer?.user.name === 'alice')).toBe(true);
    for (const tab of tabs) expect((await tab.me()).name).toBe('alice');
  });

  test('a cookie used long ago ends the sign-in everywhere, is cleared and written down', async () => {
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

  test('an unknown and an expired cookie are refused and cleared', async () => {
    const made = createBrowser(accounts.deps, { cookie: `refreshToken=${randomUUID()}` });
    expect(await reasonOfRefusal(made.refresh())).toEqual({ type: 'unauthorized' });
    expect(made.answered.get('set-cookie')).toMatch(/^refreshToken=; .*Expires=Thu, 01 Jan 1970/);
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    await database.db.query.update(sessions).set({ expiresAt: new Date(Date.now() - 1000) });
    expect(await reasonOfRefusal(browser.refresh())).toEqual({ type: 'unauthorized' });
    expect(browser.cookie).toBe('');
  });

  test('a banned user gets no bearer and comes back with the same browser after the ban', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const until = new Date(Date.now() + HOUR).toISOString();
    await database.db.query.update(users).set({ bannedUntil: until });
    expect(await reasonOfRefusal(browser.refresh())).toEqual({ type: 'banned', until });
    await database.db.query.update(users).set({ bannedUntil: null });
    expect((await browser.refresh())?.user.name).toBe('alice');
  });

  test('an address refreshes three hundred times a minute', async () => {
    await earlyInTheMinute();
    const tabs = Array.from({ length: 320 }, () => createBrowser(accounts.deps, { cookie: 'refreshToken=none' }));
    const reasons = await Promise.all(tabs.map((tab) => reasonOfRefusal(tab.refresh())));
    expect(reasons.filter((reason) => reason?.type === 'unauthorized')).toHaveLength(300);
    expect(reasons.filter((reason) => reason?.type === 'too_many_attempts')).toHaveLength(20);
  });
});

describe('signing out', () => {
  test('ends the sign-in, its bearer included, and clears the cookie', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const { cookie } = browser;
    expect(await browser.logout()).toBeNull();
    expect(browser.cookie).toBe('');
    expect(await reasonOfRefusal(browser.me())).toEqual({ type: 'unauthorized' });
    const kept = createBrowser(accounts.deps, { cookie });
    expect(await reasonOfRefusal(kept.refresh())).toEqual({ type: 'unauthorized' });
  });

  test('other browsers of the user stay signed in', async () => {
    const laptop = createBrowser(accounts.deps);
    const phone = createBrowser(accounts.deps);
    await laptop.register('alice');
    await phone.login('alice');
    await laptop.logout();
    expect((await phone.refresh())?.user.name).toBe('alice');
  });

  test('a browser that lost its cookie signs out by its bearer', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    browser.cookie = '';
    await browser.logout();
    expect(await reasonOfRefusal(browser.me())).toEqual({ type: 'unauthorized' });
  });

  test('signing out twice, or never having signed in, is no error', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    await browser.logout();
    expect(await browser.logout()).toBeNull();
    expect(await createBrowser(accounts.deps).logout()).toBeNull();
  });
});

describe('other sites', () => {
  test('cannot come in, refresh or sign out by a browser of ours', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const headers = { origin: 'https://elsewhere.example', host: 'localhost:3080' };
    const led = createBrowser(accounts.deps, { cookie: browser.cookie, headers });
    const calls = [led.refresh(), led.logout(), led.login('alice'), led.register('bob')];
    const reasons = await Promise.all(calls.map(reasonOfRefusal));
    expect(reasons).toEqual(Array(4).fill({ type: 'forbidden' }));
    expect((await browser.refresh())?.user.name).toBe('alice');
  });

  test('our own may', async () => {
    const headers = { origin: 'http://localhost:3080', host: 'localhost:3080' };
    expect((await createBrowser(accounts.deps, { headers }).register('alice')).user.name).toBe('alice');
  });
});

test('who is signed in has no balance yet, and nobody else has one', async () => {
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
