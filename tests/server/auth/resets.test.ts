import { limits } from '@parley/db/tables/limits';
import { passwordResets } from '@parley/db/tables/password-resets';
import { identities, sessions, users } from '@parley/db/tables/users';
import { sentences } from '@parley/schema/users';
import { TOO_COMMON } from '@parley/server/auth/common-passwords';
import { hashPassword } from '@parley/server/auth/passwords';
import { createResetLink, sweepResets } from '@parley/server/auth/resets';
import { endSessions } from '@parley/server/auth/sessions';
import { findUserByEmail } from '@parley/server/auth/users';
import type { Deps } from '@parley/server/deps';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { linkIn, startMailServer, type MailServer } from '../../support/mail-server.ts';
import { PASSWORD, createAccounts, createBrowser, earlyInTheMinute, reasonOfRefusal } from './browser.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const NEW = 'ten green bottles';
const INVALID = { type: 'invalid_reset_token' };
const NOBODY = '5d2c8a3e-0000-4000-8000-000000000001';
const HERE = { ip: '127.0.0.1', headers: { host: 'localhost:3080' } };
const SHOWN = { ALLOW_RESET_LINK: 'true' };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let post: MailServer;
const opened: Deps[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  post = await startMailServer();
});
afterAll(async () => {
  await post.close();
  await database.drop();
});
beforeEach(async () => {
  await database.db.query.delete(users);
  await database.db.query.delete(limits);
  post.letters.length = 0;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ mail }) => mail?.close()));
});

async function open(env: Record<string, string> = {}) {
  const accounts = await createAccounts(database.db, { REGISTER_MAX: '1000', LOGIN_MAX: '1000', ...env });
  opened.push(accounts.deps);
  return accounts;
}

/** With a mail server. */
const openWithMail = (env: Record<string, string> = {}) => open({ ...post.env, ...env });

type Browser = ReturnType<typeof createBrowser>;

async function ask(browser: Browser, name: string): Promise<string> {
  return (await (await browser.api()).requestPasswordReset({ email: `${name}@example.com` })).link;
}

async function reset(browser: Browser, link: string, password = NEW, more: object = {}) {
  return (await browser.api()).resetPassword({ ...claimOf(link), password, confirm_password: password, ...more });
}

function claimOf(link: string) {
  const { searchParams } = new URL(link);
  return { token: searchParams.get('token') ?? '', userId: searchParams.get('userId') ?? '' };
}

/** Waits for the letters that are under way. */
async function letters({ deps }: { deps: Deps }) {
  await deps.mail?.close();
  return post.letters;
}

describe('asking for a link, where mail is sent', () => {
  test('sends one to the address, and the answer says nothing', async () => {
    const accounts = await openWithMail({ DOMAIN_CLIENT: 'https://chat.example', APP_TITLE: 'Our Parley' });
    const { user } = await createBrowser(accounts.deps).register('alice');
    const api = await createBrowser(accounts.deps, HERE).api();
    expect(await api.requestPasswordReset({ email: ' Alice@Example.com ' })).toEqual({ link: '' });
    const [letter] = await letters(accounts);
    expect(letter).toMatchObject({
      to: ['alice@example.com'],
      head: { subject: 'Reset your password for Our Parley' },
    });
    expect(letter && linkIn(letter)).toMatch(
      new RegExp(`^https://chat\\.example/reset-password\\?token=[\\da-f]{64}&userId=${user.id}$`),
    );
    expect(letter?.text).toContain('within 30 minutes');
  });

  test('sends none to an address without an account, and the answer is the same', async () => {
    const accounts = await openWithMail();
    expect(await ask(createBrowser(accounts.deps, HERE), 'nobody')).toBe('');
    expect(await letters(accounts)).toEqual([]);
    expect(accounts.lines.map((line) => JSON.parse(line).audit)).toEqual(['reset_requested']);
  });

  test('is answered before anybody looks whether there is an account', async () => {
    const accounts = await openWithMail();
    await createBrowser(accounts.deps).register('alice');
    await database.db.query.transaction(async (tx) => {
      // Whoever looked for the account now would wait for this, and this for them; then the database breaks it off.
      await tx.execute(sql`set local idle_in_transaction_session_timeout = '20s'`);
      await tx.execute(sql`lock table users in access exclusive mode`);
      for (const name of ['alice', 'nobody']) expect(await ask(createBrowser(accounts.deps), name)).toBe('');
    });
    expect((await letters(accounts)).map(({ to }) => to)).toEqual([['alice@example.com']]);
  });

  test('is answered alike where the mail server is gone, and the log says so without the address', async () => {
    const gone = await startMailServer();
    await gone.close();
    const accounts = await open(gone.env);
    await createBrowser(accounts.deps).register('alice');
    expect(await ask(createBrowser(accounts.deps), 'alice')).toBe('');
    await accounts.deps.mail?.close();
    const failures = accounts.lines.filter((line) => JSON.parse(line).level === 50);
    expect(failures).toHaveLength(1);
    expect(accounts.lines.join()).not.toContain('alice');
  });
});

describe('asking for a link, where no mail is sent', () => {
  test('shows it to this very machine, where the site is this machine', async () => {
    const { deps } = await open();
    const { user } = await createBrowser(deps).register('alice');
    for (const browser of [HERE, { ip: '::1', headers: { host: '[::1]:3080' } }, { ...HERE, ip: '::ffff:127.0.0.1' }]) {
      await database.db.query.delete(limits);
      expect(await ask(createBrowser(deps, browser), 'alice')).toMatch(
        new RegExp(`^http://localhost:3080/reset-password\\?token=[\\da-f]{64}&userId=${user.id}$`),
      );
    }
    expect(await reasonOfRefusal(ask(createBrowser(deps, HERE), 'nobody'))).toEqual({
      type: 'not_found',
      what: 'user',
    });
  });

  test.each([
    ['from another machine', {}, { ip: '192.0.2.7', headers: { host: 'localhost:3080' } }],
    ['through a proxy', {}, { ip: '127.0.0.1', headers: { host: 'localhost:3080', 'x-forwarded-for': '127.0.0.1' } }],
    ['through another', {}, { ip: '127.0.0.1', headers: { host: 'localhost:3080', forwarded: 'for=127.0.0.1' } }],
    ['by another name of this machine', {}, { ip: '127.0.0.1', headers: { host: 'rebound.example:3080' } }],
    ['where the site is elsewhere', { DOMAIN_CLIENT: 'https://chat.example' }, HERE],
  ])('%s says the same to everybody, and makes none', async (_name, env, from) => {
    const { deps } = await open(env);
    await createBrowser(deps).register('alice');
    for (const name of ['alice', 'nobody']) expect(await ask(createBrowser(deps, from), name)).toBe('');
    expect(await database.db.query.select().from(passwordResets)).toEqual([]);
  });

  test('shows it to everybody where the operator allows it', async () => {
    const { deps } = await open({ ...SHOWN, DOMAIN_CLIENT: 'https://chat.example' });
    await createBrowser(deps).register('alice');
    expect(await ask(createBrowser(deps), 'alice')).toMatch(/^https:\/\/chat\.example\/reset-password\?token=/);
    expect(await reasonOfRefusal(ask(createBrowser(deps), 'nobody'))).toEqual({ type: 'not_found', what: 'user' });
  });

  test('never where there is mail, whatever is allowed', async () => {
    const { deps } = await openWithMail(SHOWN);
    await createBrowser(deps).register('alice');
    expect(await ask(createBrowser(deps, HERE), 'alice')).toBe('');
  });
});

describe('a link', () => {
  test('gives another password, and signs nobody in', async () => {
    const { deps } = await open(SHOWN);
    await createBrowser(deps).register('alice');
    const browser = createBrowser(deps);
    expect(await reset(browser, await ask(browser, 'alice'))).toBeNull();
    expect(browser.answered.get('set-cookie')).toBeNull();
    expect(await reasonOfRefusal(browser.login('alice'))).toEqual({ type: 'invalid_credentials' });
    expect((await browser.login('alice', NEW)).user.name).toBe('alice');
  });

  test('is stored only as a hash', async () => {
    const { deps, lines } = await open(SHOWN);
    await createBrowser(deps).register('alice');
    const { token } = claimOf(await ask(createBrowser(deps), 'alice'));
    const written = JSON.stringify([lines, await database.db.query.select().from(passwordResets)]);
    expect(written).not.toContain(token);
  });

  test('is good once, also for two at the same time', async () => {
    const { deps } = await open(SHOWN);
    await createBrowser(deps).register('alice');
    const link = await ask(createBrowser(deps), 'alice');
    const tries = [NEW, 'two brown bottles'].map((password) => reset(createBrowser(deps), link, password));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await reasonOfRefusal(reset(createBrowser(deps), link))).toEqual(INVALID);
  });

  test('is good no more after half an hour, and is swept then', async () => {
    const { deps } = await open(SHOWN);
    await createBrowser(deps).register('alice');
    const link = await ask(createBrowser(deps), 'alice');
    await sweepResets(database.db);
    const [kept] = await database.db.query.select().from(passwordResets);
    expect(new Date(kept?.expiresAt ?? 0).getTime() - Date.now()).toBeLessThanOrEqual(30 * 60_000);
    await database.db.query.update(passwordResets).set({ expiresAt: sql`now()` });
    expect(await reasonOfRefusal(reset(createBrowser(deps), link))).toEqual(INVALID);
    await createBrowser(deps).login('alice');
    await sweepResets(database.db);
    expect(await database.db.query.select().from(passwordResets)).toEqual([]);
  });

  test('is good no more when there is a newer one', async () => {
    const { deps } = await open(SHOWN);
    await createBrowser(deps).register('alice');
    const older = await ask(createBrowser(deps), 'alice');
    const newer = await ask(createBrowser(deps), 'alice');
    expect(await reasonOfRefusal(reset(createBrowser(deps), older))).toEqual(INVALID);
    await reset(createBrowser(deps), newer);
  });

  test('is for one account', async () => {
    const { deps } = await open(SHOWN);
    await createBrowser(deps).register('alice');
    const { user: bob } = await createBrowser(deps).register('bob');
    const { token, userId } = claimOf(await ask(createBrowser(deps), 'alice'));
    const api = await createBrowser(deps).api();
    for (const claim of [
      { token, userId: bob.id },
      { token, userId: NOBODY },
      { token, userId: 'alice' },
      { token: 'f'.repeat(64), userId },
      { token: token.toUpperCase(), userId },
      { token: `${token}\u0000`, userId },
    ]) {
      expect(await reasonOfRefusal(api.resetPassword({ ...claim, password: NEW }))).toEqual(INVALID);
    }
    await createBrowser(deps).login('alice');
  });

  test.each([
    [{ password: '' }, sentences.passwordRequired],
    [{ password: 'seven77' }, sentences.passwordMin],
    [{ password: 'a1'.repeat(65) }, sentences.passwordMax],
    [{ password: 'Password1' }, TOO_COMMON],
    [{ password: NEW, confirm_password: 'nine brown bottles' }, sentences.passwordMatch],
    [{ password: NEW, token: '' }, sentences.resetToken],
    [{ password: NEW, userId: '' }, sentences.resetUser],
  ])('with %j is refused with a sentence, and is still good', async (input, text) => {
    const { deps } = await open(SHOWN);
    await createBrowser(deps).register('alice');
    const link = await ask(createBrowser(deps), 'alice');
    const api = await createBrowser(deps).api();
    const refusal = await reasonOfRefusal(api.resetPassword({ ...claimOf(link), ...input }));
    expect(refusal).toEqual({ type: 'invalid_input', text });
    expect(await (await createBrowser(deps).api()).resetPassword({ ...claimOf(link), password: 'a1'.repeat(64) })).toBe(
      null,
    );
  });

  test('signs everybody out who was signed in', async () => {
    const { deps } = await open(SHOWN);
    const [laptop, phone, bob] = [createBrowser(deps), createBrowser(deps), createBrowser(deps)];
    await laptop.register('alice');
    await phone.login('alice');
    await bob.register('bob');
    await laptop.me();
    await reset(createBrowser(deps), await ask(createBrowser(deps), 'alice'));
    for (const browser of [laptop, phone]) {
      expect(await reasonOfRefusal(browser.me())).toEqual({ type: 'unauthorized' });
      expect(await reasonOfRefusal(browser.refresh())).toEqual({ type: 'unauthorized' });
    }
    expect((await bob.refresh())?.user.name).toBe('bob');
  });

  test('that came by mail proves the address, and one that was shown does not', async () => {
    const shown = await open(SHOWN);
    await createBrowser(shown.deps).register('alice');
    await reset(createBrowser(shown.deps), await ask(createBrowser(shown.deps), 'alice'));
    expect((await findUserByEmail(database.db, 'alice@example.com'))?.emailVerified).toBe(false);

    const mailed = await openWithMail();
    await ask(createBrowser(mailed.deps), 'alice');
    const [letter] = await letters(mailed);
    await reset(createBrowser(mailed.deps), letter ? linkIn(letter) : '');
    expect((await findUserByEmail(database.db, 'alice@example.com'))?.emailVerified).toBe(true);
  });

  test('gives a password to who had none', async () => {
    const { deps } = await open(SHOWN);
    const { user } = await createBrowser(deps).register('alice');
    await database.db.query.update(users).set({ passwordHash: null });
    await reset(createBrowser(deps), await ask(createBrowser(deps), 'alice'));
    expect((await createBrowser(deps).login('alice', NEW)).user.id).toBe(user.id);
  });

  test('ends no ban', async () => {
    const { deps } = await open(SHOWN);
    await createBrowser(deps).register('alice');
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await database.db.query.update(users).set({ bannedUntil: until });
    await reset(createBrowser(deps), await ask(createBrowser(deps), 'alice'));
    expect(await reasonOfRefusal(createBrowser(deps).login('alice', NEW))).toEqual({ type: 'banned', until });
  });

  test('forgets who has guessed at the password before', async () => {
    await earlyInTheMinute();
    const { deps } = await open({ ...SHOWN, LOGIN_MAX: '2' });
    await createBrowser(deps).register('alice');
    for (let n = 0; n < 7; n++) {
      const attacker = createBrowser(deps, { ip: `198.51.100.${n}` });
      await reasonOfRefusal(attacker.login('alice', 'six green bottles'));
    }
    const counted = () =>
      database.db.query
        .select()
        .from(limits)
        .where(sql`key like 'login:account:%'`);
    expect(await counted()).toHaveLength(2);
    await reset(createBrowser(deps), await ask(createBrowser(deps), 'alice'));
    expect(await counted()).toEqual([]);
  });

  test('that came by mail ends what was linked to the account before the address was proven, and nothing later', async () => {
    const mailed = await openWithMail();
    const { user } = await createBrowser(mailed.deps).register('alice');
    const linked = () => database.db.query.select().from(identities).where(eq(identities.userId, user.id));
    for (const left of [0, 1]) {
      await database.db.query
        .insert(identities)
        .values({ provider: 'elsewhere', subject: 'somebody', userId: user.id });
      await ask(createBrowser(mailed.deps), 'alice');
      const letter = (await letters(mailed)).findLast(({ head }) => head['subject']?.startsWith('Reset'));
      await reset(createBrowser(mailed.deps), letter ? linkIn(letter) : '');
      expect(await linked()).toHaveLength(left);
    }
  });

  test('is told to the owner by mail when it was used', async () => {
    const accounts = await openWithMail({ APP_TITLE: 'Our Parley' });
    const { user } = await createBrowser(accounts.deps).register('alice');
    const link = await createResetLink(database.db, accounts.deps.config.server, user.id, { mailed: false });
    await reset(createBrowser(accounts.deps), link);
    const told = await letters(accounts);
    expect(told.map(({ head }) => head['subject'])).toEqual(['Your password for Our Parley was changed']);
    expect(told[0]?.text).not.toMatch(/token=|https?:/);
  });

  test('is in the audit, as is one that was no good, and neither is in the log itself', async () => {
    const { deps, lines } = await open(SHOWN);
    await createBrowser(deps).register('alice');
    const link = await ask(createBrowser(deps), 'alice');
    await reset(createBrowser(deps), link);
    await reasonOfRefusal(reset(createBrowser(deps), link));
    const said = lines.map((line) => JSON.parse(line).audit);
    expect(said).toEqual(['registered', 'reset_requested', 'password_reset', 'reset_failed']);
    const written = JSON.stringify([lines, await database.db.query.select().from(limits)]);
    for (const secret of ['alice', '@example', NEW, claimOf(link).token]) expect(written).not.toContain(secret);
  });
});

describe('too often', () => {
  test('three links an hour for an account, whether there is one or not', async () => {
    await earlyInTheMinute();
    const { deps } = await open(SHOWN);
    await createBrowser(deps).register('alice');
    for (const name of ['alice', 'nobody']) {
      for (let n = 0; n < 3; n++) await ask(createBrowser(deps, { ip: `198.51.100.${n}` }), name).catch(() => null);
      const browser = createBrowser(deps, { ip: '198.51.100.9' });
      const refusal = await reasonOfRefusal(ask(browser, name.toUpperCase()));
      expect(refusal).toEqual({ type: 'too_many_attempts', retryAfterSeconds: expect.any(Number) });
      expect(Number(browser.answered.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  test('ten an hour for an address, and as many attempts to use one', async () => {
    await earlyInTheMinute();
    const { deps } = await open();
    const browser = createBrowser(deps);
    for (let n = 0; n < 10; n++) expect(await ask(browser, `person${n}`)).toBe('');
    expect(await reasonOfRefusal(ask(browser, 'person10'))).toMatchObject({ type: 'too_many_attempts' });
    const link = `http://localhost/?token=${'0'.repeat(64)}&userId=${NOBODY}`;
    for (let n = 0; n < 10; n++) expect(await reasonOfRefusal(reset(browser, link))).toEqual(INVALID);
    expect(await reasonOfRefusal(reset(browser, link))).toMatchObject({ type: 'too_many_attempts' });
    expect(await ask(createBrowser(deps, { ip: '203.0.113.6' }), 'person11')).toBe('');
  });
});

test('where nobody signs in by a password, no call has to do with one', async () => {
  const earlier = await open(SHOWN);
  const { user } = await createBrowser(earlier.deps).register('alice');
  const link = await ask(createBrowser(earlier.deps), 'alice');
  const { deps } = await open({ ...SHOWN, ALLOW_EMAIL_LOGIN: 'false' });
  const browser = createBrowser(deps);
  const closed = { type: 'email_login_closed' };
  expect(await reasonOfRefusal(ask(browser, 'alice'))).toEqual(closed);
  expect(await reasonOfRefusal(reset(browser, link))).toEqual(closed);
  browser.token = (await createBrowser(earlier.deps).login('alice')).token;
  expect((await browser.me()).id).toBe(user.id);
  expect(await reasonOfRefusal(change(browser, PASSWORD))).toEqual(closed);
});

test('a page of another site can ask for nothing', async () => {
  const { deps } = await open(SHOWN);
  await createBrowser(deps).register('alice');
  const headers = { origin: 'https://elsewhere.example', host: 'localhost:3080' };
  const led = createBrowser(deps, { headers });
  expect(await reasonOfRefusal(ask(led, 'alice'))).toEqual({ type: 'forbidden' });
  const link = await ask(createBrowser(deps), 'alice');
  expect(await reasonOfRefusal(reset(led, link))).toEqual({ type: 'forbidden' });
});

async function change(browser: Browser, current: string, more: object = {}) {
  const passwords = { current_password: current, password: NEW, confirm_password: NEW, ...more };
  return (await browser.api()).changePassword(passwords);
}

describe('a sign-in that is under way when the password is replaced', () => {
  test('by the one before comes to nothing', async () => {
    const { deps } = await open();
    expect(await reasonOfRefusal(signInMeanwhile(deps, PASSWORD))).toEqual({ type: 'invalid_credentials' });
    expect(await database.db.query.select().from(sessions)).toEqual([]);
    await createBrowser(deps).login('alice', NEW);
  });

  test('and whose hash was only made anew succeeds', async () => {
    const { deps } = await open();
    expect((await signInMeanwhile(deps, PASSWORD, PASSWORD)).user.name).toBe('alice');
  });

  /** Signs in and has the password replaced after it was verified. */
  async function signInMeanwhile(deps: Deps, password: string, next = NEW) {
    const { user } = await createBrowser(deps).register('alice');
    const passwordHash = await hashPassword(next);
    const signingIn = await database.db.query.transaction(async (tx) => {
      await endSessions(tx, user.id);
      const call = createBrowser(deps).login('alice', password);
      call.catch(() => undefined);
      await expect.poll(isSomebodyWaiting, { timeout: 20_000 }).toBe(true);
      await tx.update(users).set({ passwordHash });
      return { call };
    });
    return signingIn.call;
  }

  async function isSomebodyWaiting(): Promise<boolean> {
    const [row] = await database.db.sql<{ waiting: boolean }[]>`
      select exists (
        select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())
      ) as waiting`;
    return row?.waiting ?? false;
  }
});

describe('changing the password', () => {
  test('keeps this sign-in and ends all others', async () => {
    const { deps, lines } = await open();
    const [laptop, phone] = [createBrowser(deps), createBrowser(deps)];
    await laptop.register('alice');
    await phone.login('alice');
    await phone.me();
    expect(await change(laptop, PASSWORD)).toBeNull();
    expect((await laptop.me()).name).toBe('alice');
    expect((await laptop.refresh())?.user.name).toBe('alice');
    expect(await reasonOfRefusal(phone.me())).toEqual({ type: 'unauthorized' });
    expect(await reasonOfRefusal(phone.refresh())).toEqual({ type: 'unauthorized' });
    expect(await reasonOfRefusal(createBrowser(deps).login('alice'))).toEqual({ type: 'invalid_credentials' });
    await createBrowser(deps).login('alice', NEW);
    expect(lines.map((line) => JSON.parse(line).audit)).toContain('password_changed');
    expect(lines.join()).not.toMatch(/bottles|@example/);
  });

  test('needs the one before, and guessing at it is guessing at a sign-in', async () => {
    await earlyInTheMinute();
    const { deps, lines } = await open({ LOGIN_MAX: '3' });
    const browser = createBrowser(deps);
    await browser.register('alice');
    for (let n = 0; n < 3; n++) {
      expect(await reasonOfRefusal(change(browser, 'nine brown bottles'))).toEqual({ type: 'invalid_credentials' });
    }
    const refusal = await reasonOfRefusal(change(browser, PASSWORD));
    expect(refusal).toMatchObject({ type: 'too_many_attempts' });
    expect(Number(browser.answered.get('retry-after'))).toBeGreaterThan(0);
    expect(await reasonOfRefusal(browser.login('alice'))).toMatchObject({ type: 'too_many_attempts' });
    expect(lines.filter((line) => JSON.parse(line).audit === 'password_change_failed')).toHaveLength(3);
  });

  test('makes a link void that was asked for', async () => {
    const { deps } = await open(SHOWN);
    const browser = createBrowser(deps);
    await browser.register('alice');
    const link = await ask(createBrowser(deps), 'alice');
    await change(browser, PASSWORD);
    expect(await reasonOfRefusal(reset(createBrowser(deps), link))).toEqual(INVALID);
  });

  test('is told by mail', async () => {
    const accounts = await openWithMail();
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    await change(browser, PASSWORD);
    expect((await letters(accounts)).map(({ to }) => to)).toEqual([['alice@example.com']]);
  });

  test('is not for who has none, who is told so before', async () => {
    const { deps } = await open();
    const browser = createBrowser(deps);
    await browser.register('alice');
    expect(await (await browser.api()).hasPassword()).toBe(true);
    await database.db.query.update(users).set({ passwordHash: null });
    expect(await (await browser.api()).hasPassword()).toBe(false);
    expect(await reasonOfRefusal(change(browser, PASSWORD))).toEqual({ type: 'invalid_credentials' });
  });

  test.each([
    [{ password: 'seven77', confirm_password: 'seven77' }, sentences.passwordMin],
    [{ password: 'Password1', confirm_password: 'Password1' }, TOO_COMMON],
    [{ confirm_password: 'nine brown bottles' }, sentences.passwordMatch],
    [{ current_password: '' }, sentences.passwordRequired],
  ])('to %j is refused with a sentence', async (input, text) => {
    const { deps } = await open();
    const browser = createBrowser(deps);
    await browser.register('alice');
    expect(await reasonOfRefusal(change(browser, PASSWORD, input))).toEqual({ type: 'invalid_input', text });
  });

  test('is for who is signed in', async () => {
    const { deps } = await open();
    expect(await reasonOfRefusal(change(createBrowser(deps), PASSWORD))).toEqual({ type: 'unauthorized' });
  });

  test('changes nothing when a link was quicker', async () => {
    const { deps } = await open(SHOWN);
    const browser = createBrowser(deps);
    const { user } = await browser.register('alice');
    const link = await ask(createBrowser(deps), 'alice');
    const outcomes = await Promise.allSettled([
      reset(createBrowser(deps), link, 'two green bottles'),
      change(browser, PASSWORD),
    ]);
    const winners = ['two green bottles', NEW].filter((_, n) => outcomes[n]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect((await createBrowser(deps).login('alice', winners[0])).user.id).toBe(user.id);
    expect(await database.db.query.select().from(sessions)).not.toEqual([]);
  });
});
