// Two-step sign-in: switched on with an authenticator app, asked for after the password, and taken back.
import { limits } from '@parley/db/tables/limits';
import { factors, recoveryCodes, sessions, signInTickets, users } from '@parley/db/tables/users';
import { sweepTickets } from '@parley/server/auth/factors/sign-in-tickets';
import { createEncryption } from '@parley/server/keys/encryption';
import { findUserByEmail } from '@parley/server/auth/users';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { authenticatorCode, secretBytes } from '../../../support/accounts/authenticator-app.ts';
import { createTestDatabase } from '../../../support/database.ts';
import { startMailServer, type MailServer } from '../../../support/accounts/mail-server.ts';
import { PASSWORD, createAccounts, createBrowser, reasonOfRefusal } from '../browser.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const WRONG = { type: 'wrong_code' };
const AGAIN = { type: 'sign_in_again' };
const NEW = 'ten green bottles';
const OFF = { app: null, passkeys: [], recoveryCodesLeft: 0 };
const NEEDS_PASSWORD = { type: 'step_up_needed', by: 'password', kinds: [] };
const NEEDS_FACTOR = { type: 'step_up_needed', by: 'factor', kinds: ['totp'] };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let post: MailServer;
let accounts: Awaited<ReturnType<typeof createAccounts>>;
let alice: ReturnType<typeof createBrowser>;

beforeAll(async () => {
  database = await createTestDatabase();
  post = await startMailServer();
});
afterAll(async () => {
  await post.close();
  await database.drop();
});
beforeEach(async () => {
  // A step of the clock must not end between a code and its proof.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  await database.db.query.delete(users);
  await database.db.query.delete(limits);
  accounts = await createAccounts(database.db, { LOGIN_MAX: '1000', REGISTER_MAX: '1000' });
  alice = createBrowser(accounts.deps);
  await alice.register('alice');
});
afterEach(() => void vi.useRealTimers());

/** Switches it on, with a code of the step before, so that the current one is unused. */
async function switchOn() {
  const api = await alice.api();
  const { id, secret, uri } = await api.factors.beginApp();
  const recovery = (await api.factors.confirmApp({ id, code: authenticatorCode(secret, -1) })) ?? [];
  return { id, uri, recovery, code: (ahead = 0) => authenticatorCode(secret, ahead) };
}

/** As if all had signed in long ago. */
async function forgetProofs(): Promise<void> {
  await database.db.query.update(sessions).set({ elevatedUntil: sql`now() - interval '1 second'` });
}

/** A sign-in with the right password: the ticket for the second step. */
async function ticketOf(name: string, password = PASSWORD): Promise<string> {
  const reason = await reasonOfRefusal(createBrowser(accounts.deps).login(name, password));
  if (reason?.type !== 'factor_needed') throw new Error(`No code is asked for: ${reason?.type}`);
  return reason.ticket;
}

async function prove(ticket: string, code: string) {
  const browser = createBrowser(accounts.deps);
  const answer = await (await browser.api()).factors.prove({ ticket, code });
  browser.token = answer.token;
  return browser;
}

describe('switching it on', () => {
  test('needs a recent proof of who asks, and a code of the app that was set up', async () => {
    const api = await alice.api();
    await forgetProofs();
    expect(await reasonOfRefusal(api.factors.beginApp())).toEqual(NEEDS_PASSWORD);
    await api.stepUp.prove({ password: PASSWORD });
    const { id, secret, uri } = await api.factors.beginApp();
    expect(uri).toBe(`otpauth://totp/Parley:alice%40example.com?secret=${secret}&issuer=Parley`);
    expect(await reasonOfRefusal(api.factors.confirmApp({ id, code: '12345' }))).toEqual(WRONG);
    expect(await api.factors.status()).toEqual(OFF);
    await createBrowser(accounts.deps).login('alice');

    const begunAgain = await api.factors.beginApp();
    const code = authenticatorCode(begunAgain.secret);
    expect(await reasonOfRefusal(api.factors.confirmApp({ id, code }))).toMatchObject({ type: 'conflict' });
    const codes = (await api.factors.confirmApp({ id: begunAgain.id, code })) ?? [];
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    expect(codes[0]).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect(await api.factors.status()).toEqual({
      app: { id: begunAgain.id, since: expect.any(String) },
      passkeys: [],
      recoveryCodesLeft: 10,
    });
    expect(await reasonOfRefusal(api.factors.beginApp())).toMatchObject({ type: 'conflict' });
  });

  test('stores neither the secret nor the codes as they are', async () => {
    const { recovery, uri } = await switchOn();
    const rows = JSON.stringify([
      await database.db.query.select().from(factors),
      await database.db.query.select().from(recoveryCodes),
    ]);
    const secret = new URL(uri).searchParams.get('secret') ?? '';
    expect(rows).not.toContain(secret);
    expect(rows).not.toContain(secretBytes(secret).toString('base64'));
    for (const code of recovery) expect(rows).not.toContain(code.replaceAll('-', ''));
  });

  test('is told by mail, and so is switching it off', async () => {
    const withMail = await createAccounts(database.db, { LOGIN_MAX: '1000', ...post.env });
    const browser = createBrowser(withMail.deps, { cookie: alice.cookie });
    await browser.refresh();
    const api = await browser.api();
    const { id, secret } = await api.factors.beginApp();
    await api.factors.confirmApp({ id, code: authenticatorCode(secret, -1) });
    await api.stepUp.prove({ password: PASSWORD, code: authenticatorCode(secret) });
    await api.factors.remove({ id });
    await withMail.deps.mail?.close();
    expect(post.letters.map(({ head }) => head['subject'])).toEqual([
      'Two-step sign-in for Parley is on',
      'Two-step sign-in for Parley is off',
    ]);
  });
});

describe('signing in', () => {
  test('asks for a code after the right password only, and gives no session before', async () => {
    const { code } = await switchOn();
    expect(await reasonOfRefusal(createBrowser(accounts.deps).login('alice', 'something else'))).toEqual({
      type: 'invalid_credentials',
    });
    const browser = createBrowser(accounts.deps);
    await reasonOfRefusal(browser.login('alice'));
    expect(browser.cookie).toBe('');
    const ticket = await ticketOf('alice');
    expect(await reasonOfRefusal(prove(ticket, '000000'))).toEqual(WRONG);
    const signedIn = await prove(ticket, ` ${code().slice(0, 3)} ${code().slice(3)} `);
    expect(signedIn.cookie).not.toBe('');
    expect((await signedIn.me()).email).toBe('alice@example.com');
    expect(await reasonOfRefusal(prove(ticket, code(1)))).toEqual(AGAIN);
  });

  test('takes a code once, of processes that ask at the same time, and none that is older', async () => {
    const { code } = await switchOn();
    const [one, other, third] = [await ticketOf('alice'), await ticketOf('alice'), await ticketOf('alice')];
    const ends = await Promise.allSettled([prove(one, code(1)), prove(other, code(1))]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await reasonOfRefusal(prove(third, code()))).toEqual(WRONG);
  });

  test('takes a recovery code once, however it is typed', async () => {
    const { recovery } = await switchOn();
    const [first = '', second = ''] = recovery;
    await prove(await ticketOf('alice'), first.toUpperCase().replaceAll('-', ' '));
    expect(await reasonOfRefusal(prove(await ticketOf('alice'), first))).toEqual(WRONG);
    await prove(await ticketOf('alice'), second);
    expect((await (await alice.api()).factors.status()).recoveryCodesLeft).toBe(8);
  });

  test('takes no code of another person', async () => {
    const hers = await switchOn();
    const bob = createBrowser(accounts.deps);
    await bob.register('bob');
    const { secret, id } = await (await bob.api()).factors.beginApp();
    await (await bob.api()).factors.confirmApp({ id, code: authenticatorCode(secret, -1) });
    const ticket = await ticketOf('bob');
    expect(await reasonOfRefusal(prove(ticket, hers.code()))).toEqual(WRONG);
    expect(await reasonOfRefusal(prove(ticket, hers.recovery[0] ?? ''))).toEqual(WRONG);
    expect(
      await reasonOfRefusal((await bob.api()).factors.confirmApp({ id: hers.id, code: hers.code() })),
    ).toMatchObject({
      type: 'conflict',
    });
  });

  test('ends a ticket after five codes, after five minutes, and when the password changes', async () => {
    const { code } = await switchOn();
    const tried = await ticketOf('alice');
    for (let n = 0; n < 5; n++) expect(await reasonOfRefusal(prove(tried, '000000'))).toEqual(WRONG);
    expect(await reasonOfRefusal(prove(tried, code()))).toEqual(AGAIN);

    const late = await ticketOf('alice');
    const isOver = { expiresAt: sql`now() - interval '1 second'` };
    await database.db.query.update(signInTickets).set(isOver);
    expect(await reasonOfRefusal(prove(late, code()))).toEqual(AGAIN);
    await sweepTickets(database.db);
    expect(await database.db.query.select().from(signInTickets)).toEqual([]);

    const before = await ticketOf('alice');
    const api = await alice.api();
    await api.stepUp.prove({ code: code() });
    await api.changePassword({ password: NEW, confirm_password: NEW });
    expect(await reasonOfRefusal(prove(before, code(1)))).toEqual(AGAIN);
    await prove(await ticketOf('alice', NEW), code(1));
    expect(await reasonOfRefusal(prove('no ticket', code()))).toEqual(AGAIN);
  });

  test('counts codes by person, whatever the ticket', async () => {
    const { code } = await switchOn();
    const tries = Array.from({ length: 9 }, () => '000000');
    for (const wrong of tries) await reasonOfRefusal(prove(await ticketOf('alice'), wrong));
    // The tenth was the one that switched it on.
    expect(await reasonOfRefusal(prove(await ticketOf('alice'), code()))).toMatchObject({ type: 'too_many_attempts' });
  });

  test('refuses an account that was disabled meanwhile', async () => {
    const { code } = await switchOn();
    const ticket = await ticketOf('alice');
    await database.db.query.update(users).set({ state: 'disabled' });
    expect(await reasonOfRefusal(prove(ticket, code()))).toEqual({ type: 'account_disabled' });
  });
});

describe('switching it off', () => {
  test('needs both the password and a code, while new recovery codes need a code', async () => {
    const { id, code, recovery } = await switchOn();
    const api = await alice.api();
    const [first = '', second = ''] = recovery;
    // Signing in just now suffices for new codes, not for this.
    expect(await reasonOfRefusal(api.factors.remove({ id }))).toEqual({ ...NEEDS_FACTOR, by: 'both' });
    await forgetProofs();
    expect(await reasonOfRefusal(api.factors.renewRecoveryCodes())).toEqual(NEEDS_FACTOR);
    expect(await reasonOfRefusal(api.stepUp.prove({ password: PASSWORD }))).toEqual(WRONG);
    expect(await reasonOfRefusal(api.stepUp.prove({ password: 'something else', code: first }))).toEqual({
      type: 'invalid_credentials',
    });
    await api.stepUp.prove({ code: first });
    const renewed = await api.factors.renewRecoveryCodes();
    expect(renewed).toHaveLength(10);
    expect(await reasonOfRefusal(api.factors.remove({ id }))).toEqual({ ...NEEDS_FACTOR, by: 'both' });
    expect(await reasonOfRefusal(api.stepUp.prove({ password: PASSWORD, code: second }))).toEqual(WRONG);
    await api.stepUp.prove({ password: PASSWORD, code: code() });
    await api.factors.remove({ id });
    expect(await api.factors.status()).toEqual(OFF);
    await createBrowser(accounts.deps).login('alice');
  });

  test('leaves no secret, password or code in the log', async () => {
    const { recovery, uri } = await switchOn();
    const ticket = await ticketOf('alice');
    await prove(ticket, recovery[0] ?? '');
    const log = accounts.lines.join('\n');
    for (const secret of [ticket, recovery[0] ?? '', new URL(uri).searchParams.get('secret') ?? '', PASSWORD])
      expect(log).not.toContain(secret);
    const user = await findUserByEmail(database.db, 'alice@example.com');
    expect(accounts.lines.map((line) => JSON.parse(line) as { audit?: string; userId?: string })).toContainEqual(
      expect.objectContaining({ audit: 'recovery_code_used', userId: user?.id }),
    );
  });
});

describe('another CREDS_KEY', () => {
  const next = '1'.repeat(64);

  test('reads the apps that were set up under one that is named, and new ones are under the new one', async () => {
    const { code, recovery } = await switchOn();
    accounts.deps.encryption = createEncryption(next, [accounts.deps.secrets.credsKey]);
    expect((await (await prove(await ticketOf('alice'), code())).me()).email).toBe('alice@example.com');
    const api = await alice.api();
    const { app } = await api.factors.status();
    await api.stepUp.prove({ password: PASSWORD, code: recovery[0] });
    await api.factors.remove({ id: app?.id ?? '' });
    const renewed = await switchOn();
    accounts.deps.encryption = createEncryption(next, []);
    expect((await prove(await ticketOf('alice'), renewed.code())).cookie).not.toBe('');
  });

  test('in place of one that is lost leaves the recovery codes', async () => {
    const { code, recovery } = await switchOn();
    accounts.deps.encryption = createEncryption(next, []);
    const ticket = await ticketOf('alice');
    expect(await reasonOfRefusal(prove(ticket, code()))).toEqual(WRONG);
    expect((await prove(ticket, recovery[0] ?? '')).cookie).not.toBe('');
  });
});

test('a recent proof survives the renewal of its session, and ends with its time all the same', async () => {
  await forgetProofs();
  await (await alice.api()).stepUp.prove({ password: PASSWORD });
  const { cookie } = alice;
  await alice.refresh();
  expect(alice.cookie).not.toBe(cookie);
  const begun = await (await alice.api()).factors.beginApp();
  expect(begun.secret).not.toBe('');
  await forgetProofs();
  await alice.refresh();
  expect(await reasonOfRefusal((await alice.api()).factors.beginApp())).toEqual(NEEDS_PASSWORD);
});
