// Passkeys: added, used to sign in and as the second step, and refused where something is not as it should be.
import { limits } from '@parley/db/tables/limits';
import { factors, sessions, signInTickets, users } from '@parley/db/tables/users';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSoftwarePasskey, type SoftwarePasskey } from '../../../support/accounts/software-passkey.ts';
import { createTestDatabase } from '../../../support/database.ts';
import { PASSWORD, createAccounts, createBrowser, reasonOfRefusal } from '../browser.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const REFUSED = { type: 'passkey_refused' };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let accounts: Awaited<ReturnType<typeof createAccounts>>;
let alice: ReturnType<typeof createBrowser>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.query.delete(users);
  await database.db.query.delete(limits);
  accounts = await createAccounts(database.db, { LOGIN_MAX: '1000', REGISTER_MAX: '1000', BAN_VIOLATIONS: 'true' });
  alice = createBrowser(accounts.deps, { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux) Chrome/140' } });
  await alice.register('alice');
});

/** Returns the recovery codes of a first one. */
async function add(passkey: SoftwarePasskey, browser = alice, changes = {}) {
  const { passkeys } = await browser.api();
  return passkeys.add({ attestation: passkey.attestation(await passkeys.begin(), changes) });
}

async function signIn(passkey: SoftwarePasskey, changes = {}) {
  const browser = createBrowser(accounts.deps);
  const { passkeys } = await browser.api();
  const options = await passkeys.options();
  expect(options).toMatchObject({ rpId: 'localhost', allowCredentials: [], userVerification: 'required' });
  const answer = await passkeys.signIn({ assertion: passkey.assertion(options, changes) });
  browser.token = answer.token;
  return browser;
}

async function ticketOf(name: string): Promise<string> {
  const reason = await reasonOfRefusal(createBrowser(accounts.deps).login(name));
  if (reason?.type !== 'factor_needed') throw new Error(`No second step: ${reason?.type}`);
  return reason.ticket;
}

function audited(event: string) {
  return accounts.lines.filter((line) => line.includes(`"audit":"${event}"`));
}

describe('adding one', () => {
  test('gives the recovery codes with the first, a name by the browser, and what the browser is to make', async () => {
    const { passkeys, factors: factorApi } = await alice.api();
    const options = await passkeys.begin();
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Parley' },
      user: { name: 'alice@example.com' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const [first, second] = [createSoftwarePasskey(), createSoftwarePasskey()];
    expect(await passkeys.add({ attestation: first.attestation(options) })).toHaveLength(10);
    // The challenge is used.
    expect(await reasonOfRefusal(passkeys.add({ attestation: second.attestation(options) }))).toEqual(REFUSED);
    const more = await passkeys.begin();
    expect(more.excludeCredentials?.map(({ id }) => id)).toEqual([first.id]);
    expect(await passkeys.add({ attestation: second.attestation(more) })).toBeNull();
    const status = await factorApi.status();
    expect(status).toMatchObject({ app: null, recoveryCodesLeft: 10 });
    expect(status.passkeys.map(({ name, lastUsedAt }) => [name, lastUsedAt])).toEqual([
      ['Chrome · Linux', null],
      ['Chrome · Linux', null],
    ]);
    const id = status.passkeys[0]?.id ?? '';
    await passkeys.rename({ id, name: '  My key ' });
    expect((await factorApi.status()).passkeys[0]?.name).toBe('My key');
  });

  test('is refused of another site or name, unverified, twice, by a challenge of another person or purpose', async () => {
    const passkey = createSoftwarePasskey();
    for (const changes of [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { type: 'webauthn.get' },
    ])
      expect(await reasonOfRefusal(add(passkey, alice, changes)), JSON.stringify(changes)).toEqual(REFUSED);
    const bob = createBrowser(accounts.deps);
    await bob.register('bob');
    const hers = await (await alice.api()).passkeys.begin();
    const attestation = passkey.attestation(hers);
    expect(await reasonOfRefusal((await bob.api()).passkeys.add({ attestation }))).toEqual(REFUSED);
    const other = await (await alice.api()).passkeys.options();
    expect(
      await reasonOfRefusal((await alice.api()).passkeys.add({ attestation: passkey.attestation(other) })),
    ).toEqual(REFUSED);
    await add(passkey);
    expect(await reasonOfRefusal(add(passkey, bob))).toEqual(REFUSED);
    expect(await (await bob.api()).factors.status()).toMatchObject({ passkeys: [] });
  });
});

describe('signing in with one', () => {
  test('counts as both factors, and leaves when it was used', async () => {
    const passkey = createSoftwarePasskey();
    await add(passkey);
    const browser = await signIn(passkey);
    expect(browser.cookie).not.toBe('');
    expect((await browser.me()).email).toBe('alice@example.com');
    const { passkeys } = await (await browser.api()).factors.status();
    expect(passkeys[0]?.lastUsedAt).toEqual(expect.any(String));
  });

  test('is refused of another site or name, unverified, with another key, and for the same answer again', async () => {
    const passkey = createSoftwarePasskey();
    await add(passkey);
    for (const changes of [
      { origin: 'http://127.0.0.1:3080' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { type: 'webauthn.create' },
    ])
      expect(await reasonOfRefusal(signIn(passkey, changes)), JSON.stringify(changes)).toEqual(REFUSED);
    const api = await createBrowser(accounts.deps).api();
    const forged = createSoftwarePasskey().assertion(await api.passkeys.options());
    const assertion = { ...forged, id: passkey.id, rawId: passkey.id };
    expect(await reasonOfRefusal(api.passkeys.signIn({ assertion }))).toEqual(REFUSED);
    expect(await reasonOfRefusal(signIn(createSoftwarePasskey()))).toEqual(REFUSED);

    const once = passkey.assertion(await api.passkeys.options());
    const ends = await Promise.allSettled([1, 2].map(() => api.passkeys.signIn({ assertion: once })));
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const late = await api.passkeys.options();
    await database.db.query.update(signInTickets).set({ expiresAt: sql`now() - interval '1 second'` });
    expect(await reasonOfRefusal(api.passkeys.signIn({ assertion: passkey.assertion(late) }))).toEqual(REFUSED);
  });

  test('refuses and notes a counter that goes back, unless the passkey is one that is copied', async () => {
    const [single, copied] = [createSoftwarePasskey(), createSoftwarePasskey({ isBackedUp: true })];
    const uncounted = createSoftwarePasskey({ counts: 0 });
    for (const passkey of [single, copied, uncounted]) await add(passkey);
    for (const passkey of [single, copied, uncounted]) {
      await signIn(passkey);
      await signIn(passkey);
    }
    single.counter = 0;
    copied.counter = 0;
    expect(audited('passkey_counter_back')).toEqual([]);
    expect(await reasonOfRefusal(signIn(single))).toEqual(REFUSED);
    expect(audited('passkey_counter_back')).toHaveLength(1);
    await signIn(copied);
  });

  test('refuses accounts that are banned or disabled, and keeps one from its deletion', async () => {
    const passkey = createSoftwarePasskey();
    await add(passkey);
    await database.db.query.update(users).set({ state: 'disabled' });
    expect(await reasonOfRefusal(signIn(passkey))).toEqual({ type: 'account_disabled' });
    const bannedUntil = new Date(Date.now() + 60_000).toISOString();
    await database.db.query.update(users).set({ state: 'active', bannedUntil });
    expect(await reasonOfRefusal(signIn(passkey))).toMatchObject({ type: 'banned' });
    await database.db.query.update(users).set({ bannedUntil: null, deletionDueAt: sql`now() + interval '1 day'` });
    await signIn(passkey);
    expect((await database.db.query.select().from(users))[0]?.deletionDueAt).toBeNull();
  });

  test('is closed where sign-in by e-mail is', async () => {
    const closed = await createAccounts(database.db, { ALLOW_EMAIL_LOGIN: 'false' });
    const api = await createBrowser(closed.deps).api();
    expect(await reasonOfRefusal(api.passkeys.options())).toEqual({ type: 'email_login_closed' });
  });
});

describe('as the second step', () => {
  test('takes the place of a code, of its owner alone', async () => {
    const [hers, his] = [createSoftwarePasskey(), createSoftwarePasskey()];
    const codes = (await add(hers)) ?? [];
    const bob = createBrowser(accounts.deps);
    await bob.register('bob');
    await add(his, bob);
    const ticket = await ticketOf('alice');
    const api = await createBrowser(accounts.deps).api();
    const options = await api.factors.options({ ticket });
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual([hers.id]);
    expect(await reasonOfRefusal(api.factors.prove({ ticket, assertion: his.assertion(options) }))).toEqual(REFUSED);
    // A challenge of a sign-in by passkey is none of this step.
    const other = hers.assertion(await api.passkeys.options());
    expect(await reasonOfRefusal(api.factors.prove({ ticket, assertion: other }))).toEqual(REFUSED);
    const signed = hers.assertion(await api.factors.options({ ticket }));
    expect((await api.factors.prove({ ticket, assertion: signed })).user.email).toBe('alice@example.com');
    expect(await reasonOfRefusal(api.factors.options({ ticket }))).toEqual({ type: 'sign_in_again' });
    expect(await reasonOfRefusal(api.factors.prove({ ticket: options.challenge, code: '1' }))).toEqual({
      type: 'sign_in_again',
    });
    // Recovery codes stand in for a passkey, too.
    await api.factors.prove({ ticket: await ticketOf('alice'), code: codes[0] ?? '' });
  });

  test('proves who asks, and the last one is removed with the password as well', async () => {
    const [first, second] = [createSoftwarePasskey(), createSoftwarePasskey()];
    await add(first);
    await add(second);
    const api = await alice.api();
    const [one, other] = (await api.factors.status()).passkeys;
    await database.db.query.update(sessions).set({ elevatedUntil: null });
    const needed = { type: 'step_up_needed', by: 'factor', kinds: ['passkey'] };
    expect(await reasonOfRefusal(api.factors.remove({ id: one?.id ?? '' }))).toEqual(needed);
    await api.stepUp.prove({ assertion: first.assertion(await api.stepUp.options()) });
    await api.factors.remove({ id: one?.id ?? '' });
    expect(await reasonOfRefusal(signIn(first))).toEqual(REFUSED);
    expect(await reasonOfRefusal(api.factors.remove({ id: other?.id ?? '' }))).toEqual({ ...needed, by: 'both' });
    await api.stepUp.prove({ password: PASSWORD, assertion: second.assertion(await api.stepUp.options()) });
    await api.factors.remove({ id: other?.id ?? '' });
    expect(await api.factors.status()).toEqual({ app: null, passkeys: [], recoveryCodesLeft: 0 });
    expect(await database.db.query.select().from(factors)).toEqual([]);
    await createBrowser(accounts.deps).login('alice');
  });
});
