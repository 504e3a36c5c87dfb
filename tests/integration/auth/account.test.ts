// What people do with their own accounts: the profile, the devices, and the end.
import { limits } from '@parley/db/tables/limits';
import { sessions, users } from '@parley/db/tables/users';
import { DELETION_DAYS } from '@parley/schema/accounts/deletion-days';
import { findUserByEmail } from '@parley/server/auth/users';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { PASSWORD, createAccounts, createBrowser, reasonOfRefusal } from './browser.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

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

describe('the profile', () => {
  it('has a new name and user name, without a change of what is not named', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const api = await browser.api();
    expect(await api.updateProfile({ name: ' Alice Li ', username: 'Alice.Li' })).toMatchObject({
      name: 'Alice Li',
      username: 'alice.li',
    });
    expect(await api.updateProfile({ username: '' })).toMatchObject({ name: 'Alice Li', username: null });
    expect(await api.updateProfile({ name: 'Alice' })).toMatchObject({ name: 'Alice', username: null });
    expect(await browser.me()).toMatchObject({ name: 'Alice', username: null });
  });

  it.each([
    [{ name: 'Al' }, 'Name must be at least 3 characters'],
    [{ name: 'a'.repeat(80) }, 'Name must be less than 80 characters'],
    [{ username: 'a' }, 'Username must be at least 2 characters'],
    [{ username: 'a'.repeat(20) }, 'Username must be less than 20 characters'],
    [{ username: 'a b' }, 'Username may only hold'],
  ])('is refused as %o', async (profile, sentence) => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const reason = await reasonOfRefusal((await browser.api()).updateProfile(profile));
    expect(reason).toMatchObject({ type: 'invalid_input', text: expect.stringContaining(sentence) });
  });

  it('takes no user name of another account, however it is written and however many ask at once', async () => {
    const [alice, bob, carol] = [newBrowser(), newBrowser(), newBrowser()];
    await alice.register('alice');
    await bob.register('bob');
    await carol.register('carol');
    await (await alice.api()).updateProfile({ username: 'heron' });
    expect(await reasonOfRefusal((await bob.api()).updateProfile({ username: 'HERON' }))).toEqual({
      type: 'username_taken',
    });
    const both = [bob, carol].map(async (browser) => (await browser.api()).updateProfile({ username: 'stork' }));
    expect((await Promise.allSettled(both)).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await (await alice.api()).updateProfile({ username: 'heron' })).toMatchObject({ username: 'heron' });
  });
});

describe('the devices', () => {
  it('are named by browser and system, this one first', async () => {
    const desk = createBrowser(accounts.deps, { headers: { 'user-agent': FIREFOX } });
    await desk.register('alice');
    const phone = createBrowser(accounts.deps, { headers: { 'user-agent': IPHONE } });
    await phone.login('alice');
    await createBrowser(accounts.deps).login('alice');
    await desk.refresh();
    expect(await (await desk.api()).devices()).toEqual([
      expect.objectContaining({ isThis: true, browser: 'Firefox', system: 'Linux' }),
      expect.objectContaining({ isThis: false, browser: null, system: null }),
      expect.objectContaining({ isThis: false, browser: 'Safari', system: 'iPhone' }),
    ]);
  });

  it('are signed out one by one and all at once; not those of another user', async () => {
    const [desk, phone, tablet, bobs] = [newBrowser(), newBrowser(), newBrowser(), newBrowser()];
    await desk.register('alice');
    await bobs.register('bob');
    for (const browser of [phone, tablet]) await browser.login('alice');
    const api = await desk.api();
    const [, last] = await api.devices();
    await api.signOutDevice({ id: last?.id ?? '' });
    expect(await reasonOfRefusal(tablet.me())).toEqual({ type: 'unauthorized' });
    expect(await reasonOfRefusal(tablet.refresh())).toEqual({ type: 'unauthorized' });
    expect(await phone.me()).toMatchObject({ name: 'alice' });
    const [his] = await (await bobs.api()).devices();
    await api.signOutDevice({ id: his?.id ?? '' });
    expect(await bobs.me()).toMatchObject({ name: 'bob' });
    await api.signOutOthers();
    expect(await reasonOfRefusal(phone.me())).toEqual({ type: 'unauthorized' });
    expect(await desk.me()).toMatchObject({ name: 'alice' });
    expect(await bobs.me()).toMatchObject({ name: 'bob' });
  });
});

describe('the deletion', () => {
  it('needs the password, and signs out everywhere', async () => {
    const [desk, phone] = [newBrowser(), newBrowser()];
    await desk.register('alice');
    await phone.login('alice');
    const api = await desk.api();
    const wish = { confirmation: ' Alice@example.com' };
    // Having signed in just now does not suffice.
    expect(await reasonOfRefusal(api.deleteAccount(wish))).toMatchObject({ type: 'step_up_needed', by: 'password' });
    await api.stepUp.prove({ password: PASSWORD });
    expect(await reasonOfRefusal(api.deleteAccount({ confirmation: 'bob@example.com' }))).toEqual({
      type: 'invalid_credentials',
    });
    expect(await desk.me()).toMatchObject({ name: 'alice' });
    const { dueAt } = await api.deleteAccount(wish);
    const days = (Date.parse(dueAt) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(DELETION_DAYS);
    expect(desk.cookie).toBe('');
    for (const browser of [desk, phone]) expect(await reasonOfRefusal(browser.me())).toEqual({ type: 'unauthorized' });
    expect(await database.db.query.select().from(sessions)).toEqual([]);
  });

  it('is confirmed by the e-mail address where there is no password', async () => {
    const browser = createBrowser(accounts.deps);
    const { user } = await browser.register('alice');
    await database.db.query.update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
    const api = await browser.api();
    expect(await reasonOfRefusal(api.deleteAccount({ confirmation: PASSWORD }))).toEqual({
      type: 'invalid_credentials',
    });
    expect(await api.deleteAccount({ confirmation: ' Alice@example.com' })).toHaveProperty('dueAt');
  });

  it('is taken back by signing in again, which says so once', async () => {
    const browser = createBrowser(accounts.deps);
    await browser.register('alice');
    const api = await browser.api();
    await api.stepUp.prove({ password: PASSWORD });
    await api.deleteAccount({ confirmation: 'alice@example.com' });
    expect(await browser.login('alice')).toMatchObject({ isRestored: true });
    expect((await findUserByEmail(database.db, 'alice@example.com'))?.deletionDueAt).toBeNull();
    expect(await browser.login('alice')).not.toHaveProperty('isRestored');
  });

  it('is refused where the operator does not allow it', async () => {
    const { deps } = await createAccounts(database.db, { ALLOW_ACCOUNT_DELETION: 'false' });
    const browser = createBrowser(deps);
    await browser.register('alice');
    const api = await browser.api();
    await api.stepUp.prove({ password: PASSWORD });
    const call = api.deleteAccount({ confirmation: 'alice@example.com' });
    expect(await reasonOfRefusal(call)).toEqual({ type: 'forbidden' });
  });
});

function newBrowser() {
  return createBrowser(accounts.deps);
}
