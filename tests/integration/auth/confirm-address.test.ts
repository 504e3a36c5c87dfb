// ALLOW_UNVERIFIED_EMAIL_LOGIN=false: anyone who registers by a password follows a link in a mail before signing in.
import { serverSettings } from '@parley/db/tables/administration';
import { limits } from '@parley/db/tables/limits';
import { metadata } from '@parley/db/tables/metadata';
import { signInTickets, users } from '@parley/db/tables/users';
import { enable } from '@parley/server/admin/people/change-person';
import { linkAccount } from '@parley/server/auth/oauth/link-account';
import { createInvitation } from '@parley/server/auth/registration/invitations';
import { findUserByEmail } from '@parley/server/auth/users';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { linkIn, startMailServer, type MailServer } from '../../support/accounts/mail-server.ts';
import { createTestDatabase } from '../../support/database.ts';
import { PASSWORD, createAccounts, createBrowser, reasonOfRefusal } from './browser.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const UNCONFIRMED = { type: 'email_unconfirmed' };
const INVALID = { type: 'invalid_confirmation' };
const NEW = 'ten green bottles';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let post: MailServer;
let accounts: Awaited<ReturnType<typeof createAccounts>>;

beforeAll(async () => {
  database = await createTestDatabase();
  post = await startMailServer();
});
afterAll(async () => {
  await accounts.deps.mail?.close();
  await post.close();
  await database.drop();
});
beforeEach(async () => {
  await accounts?.deps.mail?.close();
  post.letters.splice(0);
  for (const table of [users, limits, serverSettings, metadata]) await database.db.query.delete(table);
  accounts = await createAccounts(database.db, {
    ...post.env,
    ALLOW_UNVERIFIED_EMAIL_LOGIN: 'false',
    LOGIN_MAX: '1000',
    REGISTER_MAX: '1000',
  });
  // Anyone who makes the first account administers the server, and is not asked.
  await newBrowser().register('alice');
});

const newBrowser = () => createBrowser(accounts.deps);
const rowOf = (name: string) => findUserByEmail(database.db, `${name}@example.com`);

/** Registers, and returns the token of the link in the mail. */
async function register(name: string): Promise<string> {
  expect(await reasonOfRefusal(newBrowser().register(name))).toEqual(UNCONFIRMED);
  return tokenFor(name);
}

async function tokenFor(name: string, letters = 1): Promise<string> {
  await expect.poll(() => lettersTo(name).length, { timeout: 60_000 }).toBe(letters);
  const letter = lettersTo(name).at(-1);
  return new URL(letter ? linkIn(letter) : '').searchParams.get('token') ?? '';
}

function lettersTo(name: string) {
  return post.letters.filter(({ to, text }) => to.includes(`${name}@example.com`) && text.includes('/confirm-email'));
}

async function confirm(token: string) {
  return (await newBrowser().api()).confirmEmail({ token });
}

async function resend(email: string, browser = newBrowser()) {
  return (await browser.api()).resendConfirmation({ email });
}

test('an account opens with the link in the mail, once, in any browser', async () => {
  const token = await register('bob');
  expect(await reasonOfRefusal(newBrowser().login('bob'))).toEqual(UNCONFIRMED);
  expect(await reasonOfRefusal(newBrowser().login('bob', NEW))).toEqual({ type: 'invalid_credentials' });
  expect(await reasonOfRefusal(confirm('made up'))).toEqual(INVALID);
  const ends = await Promise.allSettled([confirm(token), confirm(token)]);
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await newBrowser().login('bob')).toMatchObject({ user: { emailVerified: true } });
  expect(await reasonOfRefusal(confirm(token))).toEqual(INVALID);

  const late = await register('carol');
  await database.db.query.update(signInTickets).set({ expiresAt: sql`now()` });
  expect(await reasonOfRefusal(confirm(late))).toEqual(INVALID);
  expect(await reasonOfRefusal(newBrowser().login('carol'))).toEqual(UNCONFIRMED);
});

test('only people who wait for a link are sent another, a few times, and the answer is the same for every address', async () => {
  const first = await register('bob');
  for (const email of ['nobody@example.com', 'alice@example.com', 'BOB@example.com'])
    expect(await resend(email)).toBeNull();
  const second = await tokenFor('bob', 2);
  expect(second).not.toBe(first);
  await confirm(second);
  // All links of an account end with the first that is used.
  expect(await reasonOfRefusal(confirm(first))).toEqual(INVALID);
  expect(await resend('bob@example.com')).toBeNull();
  expect(await resend('bob@example.com')).toBeNull();
  expect(await reasonOfRefusal(resend('bob@example.com'))).toMatchObject({ type: 'too_many_attempts' });
  await accounts.deps.mail?.close();
  expect(post.letters.filter(({ text }) => text.includes('/confirm-email'))).toHaveLength(2);
});

test('approval comes after it, and an invitation spares what it can', async () => {
  await database.db.query
    .insert(serverSettings)
    .values({ name: 'registration', value: { mode: 'approval', allowedDomains: [] }, version: 1 });
  await confirm(await register('bob'));
  expect(await reasonOfRefusal(newBrowser().login('bob'))).toEqual({ type: 'account_waiting' });

  // One for anybody proves no address; one that was mailed to it does.
  const invite = async (email: string | null) => {
    const { link } = await database.db.query.transaction((tx) =>
      createInvitation(tx, 'http://x', { email, role: 'USER', expiresInDays: 1, createdBy: null }),
    );
    return new URL(link).searchParams.get('invitation') ?? '';
  };
  const come = async (name: string, invitation: string) =>
    (await newBrowser().api()).register({
      name,
      email: `${name}@example.com`,
      password: PASSWORD,
      confirm_password: PASSWORD,
      invitation,
    });
  expect(await reasonOfRefusal(come('carol', await invite(null)))).toEqual(UNCONFIRMED);
  await confirm(await tokenFor('carol'));
  expect(await newBrowser().login('carol')).toMatchObject({ user: { emailVerified: true } });
  expect(await come('dave', await invite('dave@example.com'))).toMatchObject({ user: { emailVerified: true } });
});

test('people who prove the address in another way, or are let in by an administrator, need no link', async () => {
  for (const name of ['bob', 'carol', 'dave']) await register(name);
  const { deps } = accounts;
  await (await newBrowser().api()).requestPasswordReset({ email: 'bob@example.com' });
  const letters = () => post.letters.filter(({ text }) => text.includes('/reset-password'));
  await expect.poll(() => letters().length, { timeout: 60_000 }).toBe(1);
  const [letter] = letters();
  const { token = '', userId = '' } = Object.fromEntries(new URL(letter ? linkIn(letter) : '').searchParams);
  await (await newBrowser().api()).resetPassword({ token, userId, password: NEW, confirm_password: NEW });
  expect(await newBrowser().login('bob', NEW)).toMatchObject({ user: { emailVerified: true } });

  const person = {
    subject: '1',
    email: 'carol@example.com',
    emailVerified: true,
    name: 'Carol',
    username: null,
    imageURL: null,
  };
  const { isReclaimed } = await linkAccount(deps, {
    name: 'github',
    identity: { provider: 'github', subject: '1' },
    person,
  });
  // Anyone who has chosen the password may not be the owner of the address.
  expect(isReclaimed).toBe(true);
  expect(await rowOf('carol')).toMatchObject({ state: 'active', emailVerified: true, passwordHash: null });

  const dave = await rowOf('dave');
  await enable({ db: database.db, config: deps.config, actor: null }, dave?.id ?? '');
  expect(await newBrowser().login('dave')).toMatchObject({ user: { emailVerified: false } });
});

test('accounts that exist already sign in as before', async () => {
  const before = await createAccounts(database.db, { LOGIN_MAX: '1000' });
  await createBrowser(before.deps).register('erin');
  expect(await newBrowser().login('erin')).toMatchObject({ user: { emailVerified: false } });
});
