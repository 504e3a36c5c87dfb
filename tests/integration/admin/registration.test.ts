// Who may register: as administrators set it, under what the environment says, in all processes. Two servers on one
// database.
import { auditEvents, invitations } from '@parley/db/tables/administration';
import { users } from '@parley/db/tables/users';
import { invite } from '@parley/server/admin/people/add-people';
import { createRegistration } from '@parley/server/auth/registration/registration';
import { registerAccount } from '@parley/server/auth/registration/register-account';
import { tellAdministrators } from '@parley/server/auth/registration/tell-administrators';
import { errorReason } from '@parley/server/http/trpc';
import { createCaller, type Api } from '@parley/server/router';
import { createServices, type Services } from '@parley/server/services';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { linkIn, startMailServer } from '../../support/accounts/mail-server.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { createAccounts } from '../auth/browser.ts';

let services: TestServices;
let neighbour: Services;
let alice: Person;

const LIMITS = { LOGIN_MAX: '1000', REGISTER_MAX: '1000' };

beforeAll(async () => {
  services = await openTestServices(LIMITS);
  const { config, secrets, db, log } = services.deps;
  neighbour = await createServices({ config, secrets, db, log, demo: null });
  alice = await services.as('alice', 'ADMIN');
  // As a server that has had its first account.
  await db.sql`insert into facts (name, value) values ('first_user', ${alice.id})`;
});
afterAll(async () => {
  await neighbour.close();
  await services.close();
});
afterEach(() => set('open'));

const PASSWORD = 'nine green bottles';
const http = { headers: new Headers(), ip: '203.0.113.9', setHeader() {}, secure: false };

function visitor(deps = services.deps): Api {
  return createCaller({ deps, http, socket: null, token: null, signedIn: null });
}

function register(
  name: string,
  { at = services.deps, ...over }: { at?: Services['deps']; email?: string; invitation?: string } = {},
) {
  const form = { name, email: `${name}@example.com`, password: PASSWORD, confirm_password: PASSWORD };
  return visitor(at).auth.register({ ...form, ...over });
}

async function set(mode: 'open' | 'invitation' | 'approval' | 'closed', allowedDomains: string[] = []) {
  const { registration, setRegistration } = alice.api.admin.people;
  const { version } = await registration();
  return setRegistration({ mode, allowedDomains, version });
}

async function invitationFor(email: string | null = null, role: 'USER' | 'ADMIN' = 'USER') {
  const { link } = await alice.api.admin.people.invite({ email, role, expiresInDays: 7 });
  return new URL(link).searchParams.get('invitation') ?? '';
}

async function reasonOf(call: Promise<unknown>) {
  return call.then(
    () => null,
    (error: Error) => errorReason(error),
  );
}

describe('registration', () => {
  it.each(['closed', 'invitation'] as const)('is refused at every process while it is %s', async (mode) => {
    await set(mode);
    for (const at of [services.deps, neighbour.deps]) {
      await expect.poll(() => reasonOf(visitor(at).auth.register(EMPTY_FORM))).toEqual({ type: 'registration_closed' });
      expect(await reasonOf(register('nobody', { at }))).toEqual({ type: 'registration_closed' });
      expect((await visitor(at).endpoints.startup()).registrationEnabled).toBe(false);
    }
    await set('open');
    await expect.poll(async () => (await visitor(neighbour.deps).endpoints.startup()).registrationEnabled).toBe(true);
    expect((await register(`after${mode}`, { at: neighbour.deps })).user.role).toBe('USER');
  });

  it('waits for approval where that is asked for', async () => {
    await set('approval');
    expect((await visitor().endpoints.startup()).registrationEnabled).toBe(true);
    const post = await startMailServer();
    const { mail } = (await createAccounts(services.deps.db, post.env)).deps;
    const at = { ...services.deps, mail };
    expect(await reasonOf(register('walter', { at }))).toEqual({ type: 'account_waiting' });
    // The administrators read it, at most once an hour.
    await expect.poll(() => post.letters.map(({ to }) => to)).toEqual([['alice@example.com']]);
    expect(post.letters[0] && linkIn(post.letters[0])).toBe(`${at.config.server.domainClient}/admin/people`);
    tellAdministrators({ ...at, mail });
    tellAdministrators({ ...at, mail }, new Date(Date.now() + 61 * 60_000));
    await mail?.close();
    expect(post.letters).toHaveLength(2);
    await post.close();
    const login = () => visitor(neighbour.deps).auth.login({ email: 'walter@example.com', password: PASSWORD });
    expect(await reasonOf(login())).toEqual({ type: 'account_waiting' });
    const { people } = await alice.api.admin.people.list({ isWaiting: true });
    expect(people).toMatchObject([{ name: 'walter', state: 'waiting' }]);
    await alice.api.admin.people.approve({ userId: people[0]?.id ?? '' });
    expect((await login()).user.name).toBe('walter');
    const invited = await register('wanda', { invitation: await invitationFor() });
    expect(invited.user.name).toBe('wanda');
  });

  it('is for the domains that administrators name', async () => {
    await set('open', ['Firm.example']);
    expect(await reasonOf(register('xaver'))).toEqual({ type: 'email_domain_not_allowed' });
    expect((await register('xaver', { email: 'xaver@firm.example' })).user.email).toBe('xaver@firm.example');
    const { people } = alice.api.admin;
    const outside = people.invite({ email: 'x@example.com', role: 'USER', expiresInDays: 1 });
    expect(await reasonOf(outside)).toEqual({ type: 'email_domain_not_allowed' });
    for (const domain of ['@', 'nodot', 'a b.c'])
      expect(await reasonOf(set('open', [domain]))).toMatchObject({ type: 'invalid_input' });
  });

  it('is changed by one administrator at a time, with an event', async () => {
    const { registration, setRegistration } = alice.api.admin.people;
    const { version } = await registration();
    const rules = { mode: 'closed' as const, allowedDomains: [], version };
    const both = await Promise.allSettled([setRegistration(rules), setRegistration({ ...rules, mode: 'approval' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await reasonOf(setRegistration(rules))).toMatchObject({ type: 'conflict' });
    const events = await services.deps.db.query
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.event, 'registration.changed'));
    expect(events.at(-1)).toMatchObject({ actorId: alice.id, userId: null, details: { domains: '' } });
  });

  it('is read again after a minute where a notification was lost', async () => {
    const { db, config } = services.deps;
    let now = 0;
    const registration = createRegistration({ db, config, changes: { next: async () => 0 } }, () => now);
    expect(await registration.isOpen()).toBe(true);
    await set('closed');
    now = 59_000;
    expect(await registration.isOpen()).toBe(true);
    now = 61_000;
    expect(await registration.isOpen()).toBe(false);
  });

  it('is as the environment says where it says anything', async () => {
    await set('closed', ['firm.example']);
    const { deps } = await createAccounts(services.deps.db, { ALLOW_REGISTRATION: 'true' });
    expect(await deps.registration.rules()).toEqual({ mode: 'open', allowedDomains: ['firm.example'] });
    const shut = await createAccounts(services.deps.db, { ALLOW_REGISTRATION: 'false' });
    expect(await shut.deps.registration.isOpen()).toBe(false);
  });

  it('is always open for the first account, and only for one', async () => {
    const { db, drop } = await createTestDatabase();
    const rules = { mode: 'closed', allowedDomains: [] } as const;
    const people = Array.from({ length: 10 }, (_, n) => ({ email: `first${n}@example.com`, name: `First ${n}` }));
    const outcomes = await Promise.all(
      people.map((values) => registerAccount(db, rules, { values }).catch((error: Error) => errorReason(error))),
    );
    expect(outcomes.filter((one) => one && 'role' in one)).toMatchObject([{ role: 'ADMIN', state: 'active' }]);
    expect(await db.query.select().from(users)).toHaveLength(1);
    await drop();
  });
});

const EMPTY_FORM = { name: '', email: '', password: '', confirm_password: '' };

describe('an invitation', () => {
  it('works where registration is closed, once, however many come with it at once', async () => {
    await set('closed');
    const invitation = await invitationFor();
    expect(await visitor().auth.findInvitation({ invitation })).toEqual({ email: null });
    const names = Array.from({ length: 10 }, (_, n) => `guest${n}`);
    const outcomes = await Promise.all(
      names.map((name, n) =>
        register(name, { invitation, at: n % 2 ? services.deps : neighbour.deps }).catch((error: Error) =>
          errorReason(error),
        ),
      ),
    );
    expect(outcomes.filter((one) => one && 'user' in one)).toHaveLength(1);
    expect(outcomes.filter((one) => one && 'type' in one && one.type === 'invalid_invitation')).toHaveLength(9);
    const made = await services.deps.db.query
      .select()
      .from(users)
      .where(sql`${users.email} like 'guest%'`);
    expect(made).toHaveLength(1);
    expect(await reasonOf(visitor().auth.findInvitation({ invitation }))).toEqual({ type: 'invalid_invitation' });
    const [row] = await services.deps.db.query
      .select()
      .from(invitations)
      .where(eq(invitations.usedBy, made[0]?.id ?? ''));
    expect(row?.usedAt).not.toBeNull();
  });

  it('is for its address alone, and survives a form that is refused', async () => {
    await set('closed');
    const invitation = await invitationFor('Yves@Example.com');
    expect(await visitor().auth.findInvitation({ invitation })).toEqual({ email: 'yves@example.com' });
    expect(await reasonOf(register('yvonne', { invitation }))).toEqual({ type: 'invalid_invitation' });
    expect(await reasonOf(visitor().auth.register({ ...EMPTY_FORM, invitation }))).toMatchObject({
      type: 'invalid_input',
    });
    expect((await register('yves', { invitation, email: ' YVES@example.com ' })).user.role).toBe('USER');
  });

  it('gives the role that it was made for', async () => {
    const invitation = await invitationFor(null, 'ADMIN');
    const { user } = await register('zelda', { invitation });
    expect(user.role).toBe('ADMIN');
    await services.deps.db.query.delete(users).where(eq(users.id, user.id));
  });

  it('is worth nothing once it has expired or was taken back', async () => {
    const { people } = alice.api.admin;
    const [old, taken] = [await invitationFor('old@example.com'), await invitationFor('taken@example.com')];
    await services.deps.db.query
      .update(invitations)
      .set({ expiresAt: sql`now()` })
      .where(eq(invitations.email, 'old@example.com'));
    const listed = await people.invitations();
    expect(listed.map(({ email }) => email)).not.toContain('old@example.com');
    const { id = '' } = listed.find(({ email }) => email === 'taken@example.com') ?? {};
    await people.revokeInvitation({ id });
    expect(await reasonOf(people.revokeInvitation({ id }))).toEqual({ type: 'invalid_invitation' });
    for (const [name, invitation] of [
      ['old', old],
      ['taken', taken],
      ['none', 'x'.repeat(43)],
    ] as const)
      expect(await reasonOf(register(name, { invitation }))).toEqual({ type: 'invalid_invitation' });
  });

  it('is mailed to its address where there is mail', async () => {
    const post = await startMailServer();
    const { deps } = await createAccounts(services.deps.db, post.env);
    const office = { db: deps.db, config: deps.config, mail: deps.mail, actor: null };
    const made = await invite(office, { email: 'mailed@example.com', role: 'USER', expiresInDays: 1 });
    expect(made.isMailed).toBe(true);
    await expect.poll(() => post.letters.length).toBe(1);
    const [letter] = post.letters;
    expect(letter).toMatchObject({ to: ['mailed@example.com'], text: expect.stringContaining('within 1 day:') });
    expect(letter && linkIn(letter)).toBe(made.link);
    await deps.mail?.close();
    await post.close();
    expect(
      await invite({ ...office, mail: null }, { email: 'unmailed@example.com', role: 'USER', expiresInDays: 1 }),
    ).toEqual({
      link: expect.stringContaining('/register?invitation='),
      isMailed: false,
    });
  });

  it('is stored as a hash, and told to the administrator who makes it alone', async () => {
    const invitation = await invitationFor('quiet@example.com');
    const stored = JSON.stringify([
      await services.deps.db.query.select().from(invitations),
      await services.deps.db.query.select().from(auditEvents),
      await alice.api.admin.people.invitations(),
    ]);
    expect(stored).toContain('quiet@example.com');
    expect(stored).not.toContain(invitation);
    const again = alice.api.admin.people.invite({ email: 'alice@example.com', role: 'USER', expiresInDays: 7 });
    expect(await reasonOf(again)).toMatchObject({ type: 'conflict' });
  });
});
