import { limits } from '@parley/db/tables/limits';
import { identities, passwordResets, sessions, users } from '@parley/db/tables/users';
import { sentences } from '@parley/schema/accounts/users';
import { TOO_COMMON } from '@parley/server/auth/password/common-passwords';
import { hashPassword } from '@parley/server/auth/password/password-hash';
import { createResetLink, sweepResets } from '@parley/server/auth/reset/reset-links';
import { revokeSessions } from '@parley/server/auth/session/sessions';
import { findUserByEmail } from '@parley/server/auth/users';
import type { Deps } from '@parley/server/services';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { linkIn, startMailServer, type MailServer } from '../../support/accounts/mail-server.ts';
import { PASSWORD, createAccounts, createBrowser, reasonOfRefusal } from './browser.ts';

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

/** The links that the operator finds in the log. */
function linksIn(lines: string[]): string[] {
  return lines.flatMap((line) => /https?:\/\/\S+\/reset-password\?[^\s"]+/.exec(line) ?? []);
}

/** Waits for the letters that are under way. */
async function letters({ deps }: { deps: Deps }) {
  await deps.mail?.close();
  return post.letters;
}

describe('asking for a reset link with a mail server', () => {
  test('sends the link to the address and reveals nothing in the response', async () => {
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

  test('sends nothing to an address without an account, with the same response', async () => {
    const accounts = await openWithMail();
    expect(await ask(createBrowser(accounts.deps, HERE), 'nobody')).toBe('');
    expect(await letters(accounts)).toEqual([]);
    expect(accounts.lines.map((line) => JSON.parse(line).audit)).toEqual(['reset_requested']);
  });

  test('answers before the account is looked up', async () => {
    const accounts = await openWithMail();
    await createBrowser(accounts.deps).register('alice');
    await database.db.query.transaction(async (tx) => {
      // Anyone who looked for the account now would wait for this, and this for them; then the database breaks it off.
      await tx.execute(sql`set local idle_in_transaction_session_timeout = '20s'`);
      await tx.execute(sql`lock table users in access exclusive mode`);
      for (const name of ['alice', 'nobody']) expect(await ask(createBrowser(accounts.deps), name)).toBe('');
    });
    expect((await letters(accounts)).map(({ to }) => to)).toEqual([['alice@example.com']]);
  });

  test('answers alike when the mail server is down, and logs the failure without the address', async () => {
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

describe('asking for a reset link without a mail server', () => {
  test.each([
    ['on this very machine', HERE],
    ['behind a proxy on this machine that adds no header', { ip: '127.0.0.1', headers: { host: '127.0.0.1:3080' } }],
    ['behind one that adds them', { ...HERE, headers: { host: 'localhost:3080', 'x-forwarded-for': '192.0.2.7' } }],
    ['on another machine', { ip: '192.0.2.7', headers: { host: 'localhost:3080' } }],
  ])('answers %s like everybody and writes the link to the log only', async (_name, from) => {
    const accounts = await open();
    const { user } = await createBrowser(accounts.deps).register('alice');
    for (const name of ['nobody', 'alice']) expect(await ask(createBrowser(accounts.deps, from), name)).toBe('');
    await expect.poll(() => linksIn(accounts.lines)).toHaveLength(1);
    expect(linksIn(accounts.lines)[0]).toMatch(
      new RegExp(`^http://localhost:3080/reset-password\\?token=[\\da-f]{64}&userId=${user.id}$`),
    );
    expect(accounts.lines.join()).not.toContain('alice');
    await reset(createBrowser(accounts.deps), linksIn(accounts.lines)[0] ?? '');
    await createBrowser(accounts.deps).login('alice', NEW);
  });

  test('logs the link once while it is valid, and keeps it valid when somebody asks again', async () => {
    const accounts = await open();
    await createBrowser(accounts.deps).register('alice');
    for (let n = 0; n < 3; n += 1) await ask(createBrowser(accounts.deps), 'alice');
    // What is asked for last is written last: the third request has been dealt with by then.
    const { user } = await createBrowser(accounts.deps).register('bob');
    await ask(createBrowser(accounts.deps), 'bob');
    await expect.poll(() => linksIn(accounts.lines).some((link) => link.includes(user.id))).toBe(true);
    expect(linksIn(accounts.lines)).toHaveLength(2);
    await reset(createBrowser(accounts.deps), linksIn(accounts.lines)[0] ?? '');
  });

  test('logs a new link after the old one has expired', async () => {
    const accounts = await open();
    await createBrowser(accounts.deps).register('alice');
    await ask(createBrowser(accounts.deps), 'alice');
    await expect.poll(() => linksIn(accounts.lines)).toHaveLength(1);
    await database.db.query.update(passwordResets).set({ expiresAt: sql`now()` });
    await ask(createBrowser(accounts.deps), 'alice');
    await expect.poll(() => linksIn(accounts.lines)).toHaveLength(2);
    await reset(createBrowser(accounts.deps), linksIn(accounts.lines)[1] ?? '');
  });

  test('returns the link when the operator allows it', async () => {
    const { deps } = await open({ ...SHOWN, DOMAIN_CLIENT: 'https://chat.example' });
    await createBrowser(deps).register('alice');
    expect(await ask(createBrowser(deps), 'alice')).toMatch(/^https:\/\/chat\.example\/reset-password\?token=/);
    expect(await reasonOfRefusal(ask(createBrowser(deps), 'nobody'))).toEqual({ type: 'not_found', what: 'user' });
  });

  test('never returns the link when there is a mail server', async () => {
    const { deps } = await openWithMail(SHOWN);
    await createBrowser(deps).register('alice');
    expect(await ask(createBrowser(deps, HERE), 'alice')).toBe('');
  });
});

describe('a reset link', () => {
  test('sets another password and signs nobody in', async () => {
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

  test('works once, even when it is used twice at the same time', async () => {
    const { deps } = await open(SHOWN);
    await createBrowser(deps).register('alice');
    const link = await ask(createBrowser(deps), 'alice');
    const tries = [NEW, 'two brown bottles'].map((password) => reset(createBrowser(deps), link, password));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await reasonOfRefusal(reset(createBrowser(deps), link))).toEqual(INVALID);
  });

  test('expires after half an hour and is swept then', async () => {
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

  test('is invalid once there is a newer one', async () => {
    const { deps } = await open(SHOWN);
    await createBrowser(deps).register('alice');
    const older = await ask(createBrowser(deps), 'alice');
    const newer = await ask(createBrowser(deps), 'alice');
    expect(await reasonOfRefusal(reset(createBrowser(deps), older))).toEqual(INVALID);
    await reset(createBrowser(deps), newer);
  });

  test('works for one account only', async () => {
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
  ])('stays valid after %j, which is refused with a sentence', async (input, text) => {
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

  test('ends all sessions of the user', async () => {
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

  test('verifies the address when it came by mail, and not when it was shown', async () => {
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

  test('sets a password for an account without one', async () => {
    const { deps } = await open(SHOWN);
    const { user } = await createBrowser(deps).register('alice');
    await database.db.query.update(users).set({ passwordHash: null });
    await reset(createBrowser(deps), await ask(createBrowser(deps), 'alice'));
    expect((await createBrowser(deps).login('alice', NEW)).user.id).toBe(user.id);
  });

  test('does not end a ban', async () => {
    const { deps } = await open(SHOWN);
    await createBrowser(deps).register('alice');
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await database.db.query.update(users).set({ bannedUntil: until });
    await reset(createBrowser(deps), await ask(createBrowser(deps), 'alice'));
    expect(await reasonOfRefusal(createBrowser(deps).login('alice', NEW))).toEqual({ type: 'banned', until });
  });

  test('resets the counter of wrong passwords', async () => {
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

  test('removes sign-in sites linked before the address was verified when it came by mail, and none linked later', async () => {
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

  test('notifies the owner by mail when it is used', async () => {
    const accounts = await openWithMail({ APP_TITLE: 'Our Parley' });
    const { user } = await createBrowser(accounts.deps).register('alice');
    const link = await createResetLink(database.db, accounts.deps.config.server, user.id, { mailed: false });
    await reset(createBrowser(accounts.deps), link);
    const told = await letters(accounts);
    expect(told.map(({ head }) => head['subject'])).toEqual(['Your password for Our Parley was changed']);
    expect(told[0]?.text).not.toMatch(/token=|https?:/);
  });

  test('appears in the audit log when used or refused, but never the link itself', async () => {
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

describe('rate limits of reset links', () => {
  test('allow three links an hour for an address, with or without an account', async () => {
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

  test('allow ten links and ten attempts to use one an hour for a network address', async () => {
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

test('all password procedures are refused with password sign-in off', async () => {
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

test('a page of another site cannot ask for a reset link', async () => {
  const { deps } = await open(SHOWN);
  await createBrowser(deps).register('alice');
  const headers = { origin: 'https://elsewhere.example', host: 'localhost:3080' };
  const led = createBrowser(deps, { headers });
  expect(await reasonOfRefusal(ask(led, 'alice'))).toEqual({ type: 'forbidden' });
  const link = await ask(createBrowser(deps), 'alice');
  expect(await reasonOfRefusal(reset(led, link))).toEqual({ type: 'forbidden' });
});

async function change(browser: Browser, current: string, more: object = {}) {
  const api = await browser.api();
  await api.stepUp.prove({ password: current });
  return api.changePassword({ password: NEW, confirm_password: NEW, ...more });
}

describe('a sign-in under way while the password is replaced', () => {
  test('fails with the old password', async () => {
    const { deps } = await open();
    expect(await reasonOfRefusal(signInMeanwhile(deps, PASSWORD))).toEqual({ type: 'invalid_credentials' });
    expect(await database.db.query.select().from(sessions)).toEqual([]);
    await createBrowser(deps).login('alice', NEW);
  });

  test('succeeds when only the hash was renewed', async () => {
    const { deps } = await open();
    expect((await signInMeanwhile(deps, PASSWORD, PASSWORD)).user.name).toBe('alice');
  });

  /** Signs in and has the password replaced after it was verified. */
  async function signInMeanwhile(deps: Deps, password: string, next = NEW) {
    const { user } = await createBrowser(deps).register('alice');
    const passwordHash = await hashPassword(next);
    const signingIn = await database.db.query.transaction(async (tx) => {
      await revokeSessions(tx, user.id);
      const call = createBrowser(deps).login('alice', password);
      call.catch(() => undefined);
      await expect.poll(isSomebodyWaiting).toBe(true);
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
  test('keeps the current session and ends all others', async () => {
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

  test('requires the old password, and wrong ones count as sign-in attempts', async () => {
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
    expect(lines.filter((line) => JSON.parse(line).audit === 'step_up_refused')).toHaveLength(3);
  });

  test('needs a proof of who asks, even from a person who has just signed in', async () => {
    const { deps } = await open();
    const browser = createBrowser(deps);
    await browser.register('alice');
    const call = (await browser.api()).changePassword({ password: NEW, confirm_password: NEW });
    expect(await reasonOfRefusal(call)).toEqual({ type: 'step_up_needed', by: 'password', kinds: [] });
    await createBrowser(deps).login('alice');
  });

  test('invalidates a pending reset link', async () => {
    const { deps } = await open(SHOWN);
    const browser = createBrowser(deps);
    await browser.register('alice');
    const link = await ask(createBrowser(deps), 'alice');
    await change(browser, PASSWORD);
    expect(await reasonOfRefusal(reset(createBrowser(deps), link))).toEqual(INVALID);
  });

  test('notifies the owner by mail', async () => {
    const accounts = await openWithMail();
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    await change(browser, PASSWORD);
    expect((await letters(accounts)).map(({ to }) => to)).toEqual([['alice@example.com']]);
  });

  test('is refused for an account without a password, which the user can see beforehand', async () => {
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
  ])('to %j is refused with a sentence', async (input, text) => {
    const { deps } = await open();
    const browser = createBrowser(deps);
    await browser.register('alice');
    expect(await reasonOfRefusal(change(browser, PASSWORD, input))).toEqual({ type: 'invalid_input', text });
  });

  test('requires a session', async () => {
    const { deps } = await open();
    expect(await reasonOfRefusal(change(createBrowser(deps), PASSWORD))).toEqual({ type: 'unauthorized' });
  });

  test('changes nothing when a reset link was faster', async () => {
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

test('nobody asks for a new password where the operator turned that off; a link of the operator works', async () => {
  const { deps } = await open({ ...SHOWN, ALLOW_PASSWORD_RESET: 'false' });
  const browser = createBrowser(deps);
  const { user } = await browser.register('alice');
  expect(await reasonOfRefusal(ask(browser, 'alice'))).toEqual({ type: 'forbidden' });
  const link = await createResetLink(database.db, deps.config.server, user.id, { mailed: false });
  await reset(browser, link);
});
