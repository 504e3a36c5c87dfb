// Signing in by a directory that speaks real LDAP.
import { createServer, type Socket } from 'node:net';
import { auditEvents, groupMembers, groups } from '@parley/db/tables/administration';
import { limits } from '@parley/db/tables/limits';
import { identities, users } from '@parley/db/tables/users';
import { joinDirectory } from '@parley/server/admin/people/change-person';
import { askDirectory, DirectoryFault, type Ldap } from '@parley/server/auth/ldap/directory';
import { loadConfig } from '@parley/server/load-config';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authenticatorCode } from '../../support/accounts/authenticator-app.ts';
import { activeDirectory, BASE, CERTIFICATE_PATH, startLdapServer } from '../../support/accounts/ldap-server.ts';
import type { LdapServer } from '../../support/accounts/ldap-server.ts';
import { createTestDatabase } from '../../support/database.ts';
import { createFolder } from '../../support/folders.ts';
import { send } from '../../support/rest/client.ts';
import { startTestServer } from '../../support/server.ts';
import { createAccounts, createBrowser, PASSWORD, reasonOfRefusal } from './browser.ts';

const ALICE = {
  password: 'kurz',
  attributes: { uid: 'alice', mail: 'Alice@Example.com', givenName: 'Alice', sn: 'Example', cn: 'A. Example' },
};
const WRONG = { type: 'invalid_credentials' };
const AWAY = { type: 'directory_unreachable' };

let server: LdapServer;

beforeAll(async () => {
  server = await startLdapServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.people.clear();
  server.people.set('uid=alice', structuredClone(ALICE));
  Object.assign(server, { binds: [], filters: [], limit: Infinity, dropsAfterTls: false, wasClear: false });
});

describe('the directory', () => {
  async function configured(env: Record<string, string> = {}, at = server): Promise<Ldap> {
    const { accounts } = await loadConfig({ env: { ...at.env, ...env }, cwd: createFolder() });
    if (!accounts.ldap) throw new Error('There is no directory');
    return accounts.ldap;
  }

  /** The id of whom it knows, or null; a fault in words. */
  async function ask(ldap: Ldap, login: string, password: string, odd: string[] = []) {
    return askDirectory(ldap, { login }, password, (what) => odd.push(what)).then(
      (person) => person?.subject ?? null,
      (error: Error) => (error instanceof DirectoryFault ? `fault: ${error.message}` : error.message),
    );
  }

  it('tells who somebody is, by the attributes that are set, and lets nobody in without a password', async () => {
    const ldap = await configured();
    expect(await askDirectory(ldap, { login: 'ALICE' }, 'kurz', () => undefined)).toEqual({
      subject: 'alice',
      email: 'Alice@Example.com',
      emailVerified: false,
      name: 'Alice Example',
      username: 'alice',
      imageURL: null,
    });
    expect(server.binds).toEqual(['cn=reader,dc=example,dc=com', `uid=alice,${BASE}`]);
    const other = { LDAP_ID: 'mail', LDAP_USERNAME: 'givenName', LDAP_EMAIL: 'cn', LDAP_FULL_NAME: 'sn,givenName' };
    expect(await askDirectory(await configured(other), { login: 'alice' }, 'kurz', () => undefined)).toMatchObject({
      subject: 'Alice@Example.com',
      username: 'Alice',
      email: 'A. Example',
      name: 'Example Alice',
    });
    server.binds = [];
    for (const password of ['', '\0', 'kurz\0']) expect(await ask(ldap, 'alice', password)).toBeNull();
    expect(server.binds).toEqual([]);
    expect(await ask(ldap, 'alice', 'wrong')).toBeNull();
    expect(await ask(ldap, 'nobody', 'kurz')).toBeNull();
    // An unknown name costs as many questions as a wrong password.
    expect(server.binds).toHaveLength(4);
    expect(await askDirectory(ldap, { id: 'alice' }, 'kurz', () => undefined)).toMatchObject({ subject: 'alice' });
    expect(await askDirectory(ldap, { id: 'Alice@Example.com' }, 'kurz', () => undefined)).toBeNull();
  });

  it('tells which groups somebody is in, by an attribute or by the entries of the groups', async () => {
    const groupsOf = async (env: Record<string, string>, password = 'kurz') =>
      (await askDirectory(await configured(env), { login: 'alice' }, password, () => undefined))?.rights?.groups;
    expect(await groupsOf({})).toBeUndefined();
    const memberOf = [
      'CN=Staff,OU=Groups,DC=example,DC=com',
      'cn=Sales\\, Berlin+ou=x,dc=example,dc=com',
      'CN=M\\c3\\a4rz,DC=example',
      'parley-readers',
      'cn=staff,dc=elsewhere',
    ];
    server.people.set('uid=alice', { ...ALICE, attributes: { ...ALICE.attributes, memberOf } });
    const byAttribute = { LDAP_GROUPS_ATTRIBUTE: 'memberOf' };
    expect(await groupsOf(byAttribute)).toEqual(['staff', 'Sales, Berlin', 'März', 'parley-readers']);
    expect(await groupsOf({ ...byAttribute, LDAP_GROUPS: 'Staff,parley-*' })).toEqual(['Staff', 'parley-readers']);
    expect(await groupsOf(byAttribute, 'wrong')).toBeUndefined();
    server.people.set('uid=alice', structuredClone(ALICE));
    expect(await groupsOf(byAttribute)).toEqual([]);

    const byEntries = { LDAP_GROUP_SEARCH_BASE: 'dc=example,dc=com' };
    const member = [`uid=alice,${BASE}`, `uid=bob,${BASE}`];
    server.people.set('cn=Readers', { password: 'none', attributes: { cn: 'Readers', member } });
    server.people.set('cn=Writers', { password: 'none', attributes: { cn: 'Writers', member: `uid=bob,${BASE}` } });
    expect(await groupsOf(byEntries)).toEqual(['Readers']);
    // Whom nobody knows costs the same questions as a wrong password.
    server.filters = [];
    expect(await ask(await configured(byEntries), 'nobody', 'kurz')).toBeNull();
    expect(server.filters).toHaveLength(2);
  });

  it('takes what is typed for a name, whatever signs are in it', async () => {
    const ldap = await configured({ LDAP_SEARCH_FILTER: '(&(objectClass=*)(uid={{username}}))' });
    server.people.set('uid=odd', {
      password: 'kurz',
      attributes: { objectClass: 'x', uid: 'o(d)*d\\ {{username}}' },
    });
    expect(await ask(ldap, 'o(d)*d\\ {{username}}', 'kurz')).toBe('o(d)*d\\ {{username}}');
    for (const login of ['*', 'al*', 'alice)(uid=*', '*)(|(uid=*', '\\2a', 'o\\28d', '\0', '$&'])
      expect(await ask(ldap, login, 'kurz'), login).toBeNull();
    const broken = await configured({ LDAP_SEARCH_FILTER: '(uid={{username}}))(' });
    expect(await ask(broken, 'alice', 'kurz')).toBe('fault: LDAP_SEARCH_FILTER cannot be read');
    const empty = server.filters.filter((filter) => filter.includes('uid=*)'));
    expect(empty).toEqual([]);
  });

  it('knows nobody where a name fits several, or there is no one id', async () => {
    const odd: string[] = [];
    const ldap = await configured({ LDAP_SEARCH_FILTER: '(|(uid={{username}})(givenName={{username}}))' });
    server.people.set('uid=alison', { password: 'kurz', attributes: { uid: 'alison', givenName: 'Alice' } });
    expect(await ask(ldap, 'Alice', 'kurz', odd)).toBeNull();
    server.limit = 1;
    expect(await ask(ldap, 'Alice', 'kurz', odd)).toBeNull();
    expect(odd).toEqual(Array(2).fill('LDAP_SEARCH_FILTER fits several people'));
    server.limit = Infinity;
    server.people.set('uid=two', { password: 'kurz', attributes: { uid: ['two', 'zwei'] } });
    expect(await ask(ldap, 'two', 'kurz', odd)).toBeNull();
    expect(odd).toHaveLength(3);
  });

  it.each<[number, string, string | null]>([
    [49, activeDirectory('775'), null],
    [49, activeDirectory('533'), null],
    [53, 'Account inactivated. Contact system administrator.', null],
    [19, 'Exceed password retry limit. Please try later.', null],
    [49, activeDirectory('532'), 'password_expired'],
    [49, activeDirectory('773'), 'password_expired'],
    [10, 'Referral', 'fault: result code 10'],
    [51, 'Busy', 'fault: result code 51'],
    [13, 'TLS required', 'fault: result code 13'],
  ])('that answers a bind with %i, %s: %s', async (code, words, outcome) => {
    const person = server.people.get('uid=alice');
    if (person) person.refusal = [code, words];
    const said = await ask(await configured(), 'alice', 'kurz');
    expect(said === null || said.startsWith('fault') ? said : 'password_expired').toBe(outcome);
    // With a wrong password nobody learns of it.
    expect(await ask(await configured(), 'alice', 'wrong')).toBeNull();
  });

  it('is asked by who may search, and encrypted as it is set up, with a certificate that is checked', async () => {
    const denied = await configured({ LDAP_BIND_CREDENTIALS: 'not this one' });
    expect(await ask(denied, 'alice', 'kurz')).toBe('fault: result code 49');
    const ca = { LDAP_CA_CERT_PATH: CERTIFICATE_PATH };
    server.wasClear = false;
    const starting = { LDAP_STARTTLS: 'true', ...ca };
    expect(await ask(await configured(starting), 'alice', 'kurz')).toBe('alice');
    expect(server.wasClear).toBe(false);

    const secure = await startLdapServer({ isTls: true });
    secure.people.set('uid=alice', structuredClone(ALICE));
    try {
      for (const [at, env] of [
        [server, { LDAP_STARTTLS: 'true' }],
        [secure, {}],
      ] as const) {
        const address = { LDAP_URL: at.url.replace('localhost', '127.0.0.1') };
        expect(await ask(await configured({ ...env, ...ca }, at), 'alice', 'kurz')).toBe('alice');
        expect(await ask(await configured(env, at), 'alice', 'kurz')).toMatch(/^fault: .*SELF_SIGNED/);
        expect(await ask(await configured({ ...env, ...ca, ...address }, at), 'alice', 'kurz')).toBe(
          'fault: ERR_TLS_CERT_ALTNAME_INVALID',
        );
        const unchecked = { ...env, LDAP_TLS_REJECT_UNAUTHORIZED: 'false' };
        expect(await ask(await configured(unchecked, at), 'alice', 'kurz')).toBe('alice');
      }
      // Anyone who ends the encrypted connection gets no password in another one.
      server.dropsAfterTls = true;
      expect(await ask(await configured(starting), 'alice', 'kurz')).toMatch(/^fault/);
      expect(server.wasClear).toBe(false);
    } finally {
      await secure.close();
    }
  });

  it('is at fault when it is down or answers with something else', async () => {
    const web = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .resume()
        .end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const address = web.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const ldap = await configured({ LDAP_URL: `ldap://127.0.0.1:${port}` });
    expect(await ask(ldap, 'alice', 'kurz')).toMatch(/^fault: ./);
    await new Promise((resolve) => web.close(resolve));
    expect(await ask(ldap, 'alice', 'kurz')).toBe('fault: ECONNREFUSED');
  });
});

describe('a directory that accepts a connection and never answers', () => {
  it('is at fault in words once its time is over, and keeps nobody from signing in by a password of their own', async () => {
    const held: Socket[] = [];
    const silent = createServer((socket) => void held.push(socket.on('error', () => undefined).resume()));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const env = { ...server.env, LDAP_URL: `ldap://127.0.0.1:${port}` };
    const database = await createTestDatabase();
    try {
      const local = await createAccounts(database.db);
      await createBrowser(local.deps).register('alice');
      const { deps } = await createAccounts(database.db, env);
      const { ldap } = deps.config.accounts;
      if (!ldap) throw new Error('There is no directory');
      const asked = askDirectory(ldap, { login: 'bob' }, 'kurz', () => undefined, 100);
      await expect(asked).rejects.toThrow(new DirectoryFault('no answer in time'));
      const login = async (email: string, password: string) =>
        (await createBrowser(deps).api()).login({ email, password });
      held.length = 0;
      const waiting = reasonOfRefusal(login('bob', 'kurz'));
      await expect.poll(() => held.length).toBe(1);
      expect((await login('alice@example.com', PASSWORD)).user.provider).toBe('local');
      held[0]?.destroy();
      expect(await waiting).toEqual(AWAY);
    } finally {
      await database.drop();
      await new Promise((resolve) => silent.close(resolve));
    }
  });
});

describe('an account of the directory', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let accounts: Awaited<ReturnType<typeof createAccounts>>;

  beforeAll(async () => {
    database = await createTestDatabase();
    accounts = await createAccounts(database.db, server.env);
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    await database.db.query.delete(users);
    await database.db.query.delete(limits);
    accounts.lines.length = 0;
  });

  const browser = () => createBrowser(accounts.deps);
  const login = async (email: string, password: string, at = browser()) => {
    const answer = await (await at.api()).login({ email, password });
    at.token = answer.token;
    return answer;
  };
  const all = () => database.db.query.select().from(users);

  it('is made at the first sign-in and found later, and has no password here', async () => {
    const first = browser();
    const { user } = await login('alice', 'kurz', first);
    expect(user).toMatchObject({ provider: 'ldap', email: 'alice@example.com', name: 'Alice Example' });
    expect(user).toMatchObject({ username: 'alice', emailVerified: false });
    server.people.set('uid=alice', { ...ALICE, attributes: { ...ALICE.attributes, mail: 'new@example.com' } });
    expect((await login(' ＡＬＩＣＥ ', 'kurz')).user.id).toBe(user.id);
    expect(await all()).toHaveLength(1);
    expect((await all())[0]?.passwordHash).toBeNull();

    const api = await first.api();
    expect(await api.hasPassword()).toBe(false);
    const form = { name: 'Bob', email: 'bob@example.com', password: PASSWORD, confirm_password: PASSWORD };
    expect(await reasonOfRefusal(api.register(form))).toEqual({ type: 'registration_closed' });
    expect(await reasonOfRefusal(api.requestPasswordReset({ email: 'alice@example.com' }))).toEqual({
      type: 'forbidden',
    });
    expect(accounts.lines.join('\n')).not.toMatch(/kurz|example\.com/i);
  });

  it('is refused in the same words whatever is wrong, and is counted by its name', async () => {
    const odd: [string, string][] = [
      ['alice', 'wrong'],
      ['nobody', 'kurz'],
      ['*', 'kurz'],
      ['alice', '\0'],
    ];
    for (const [email, password] of odd) expect(await reasonOfRefusal(login(email, password))).toEqual(WRONG);
    expect(accounts.lines.filter((line) => line.includes('sign_in_failed'))).toHaveLength(odd.length);
    const empty = await reasonOfRefusal(login('alice', ''));
    expect(empty).toEqual({ type: 'invalid_input', text: 'Password is required' });
    const counters = () => database.db.query.select().from(limits);
    const before = await counters();
    for (const email of ['ALICE', ' ａlice ', 'alice'])
      expect(await reasonOfRefusal(login(email, 'wrong'))).toEqual(WRONG);
    expect(await counters()).toHaveLength(before.length);
  });

  it('takes no account over that has its address, whose own password still signs in', async () => {
    const local = await createAccounts(database.db);
    await createBrowser(local.deps).register('alice');
    const taken = { type: 'social_login', why: 'email_taken' };
    expect(await reasonOfRefusal(login('alice', 'kurz'))).toEqual(taken);
    await database.db.query.update(users).set({ emailVerified: true });
    expect(await reasonOfRefusal(login('alice', 'kurz'))).toEqual(taken);
    expect(await database.db.query.select().from(identities)).toEqual([]);
    server.binds = [];
    expect((await login('Alice@example.com', PASSWORD)).user.provider).toBe('local');
    expect(server.binds).toEqual([]);
    // The operator may say that it is the same person.
    const [before] = await all();
    const office = { db: database.db, config: accounts.deps.config, actor: null };
    await joinDirectory(office, before?.id ?? '', 'alice');
    expect((await login('alice', 'kurz')).user).toMatchObject({ id: before?.id, provider: 'ldap' });
    expect(await reasonOfRefusal(login('alice@example.com', PASSWORD))).toEqual(WRONG);
    const [joined] = await database.db.query.select().from(auditEvents);
    expect(joined).toMatchObject({ event: 'person.joined_directory', details: { id: 'alice' } });
    server.people.set('uid=new', { password: 'kurz', attributes: { uid: 'new' } });
    expect(await reasonOfRefusal(login('new', 'kurz'))).toEqual({ type: 'social_login', why: 'no_email' });
  });

  it('gives its second factor, and proves itself by the password of the directory', async () => {
    const alice = browser();
    const { user } = await login('alice', 'kurz', alice);
    const forget = () =>
      database.db.query.execute(sql`update sessions set elevated_until = now() - interval '1 second'`);
    const change = { password: PASSWORD, confirm_password: PASSWORD };
    await forget();
    const api = await alice.api();
    const needed = { type: 'step_up_needed', by: 'password', kinds: [] };
    expect(await reasonOfRefusal(api.changePassword(change))).toEqual(needed);
    expect(await reasonOfRefusal(api.stepUp.prove({ password: 'wrong' }))).toEqual(WRONG);
    expect(await reasonOfRefusal(api.stepUp.prove({}))).toEqual(WRONG);
    await api.stepUp.prove({ password: 'kurz' });
    expect(await reasonOfRefusal(api.changePassword(change))).toEqual(WRONG);
    const { id, secret } = await api.factors.beginApp();
    await api.factors.confirmApp({ id, code: authenticatorCode(secret) });
    expect(await reasonOfRefusal(login('alice', 'kurz'))).toMatchObject({ type: 'factor_needed', kinds: ['totp'] });
    await database.db.query.update(users).set({ state: 'disabled' }).where(eq(users.id, user.id));
    expect(await reasonOfRefusal(login('alice', 'kurz'))).toEqual({ type: 'account_disabled' });
    expect(await reasonOfRefusal(login('alice', 'wrong'))).toEqual(WRONG);
  });

  it('is told where the directory is away, which counts no try and leaves the accounts of this server alone', async () => {
    const local = await createAccounts(database.db);
    await createBrowser(local.deps).register('owner');
    const away = await startLdapServer();
    const { deps, lines } = await createAccounts(database.db, { ...away.env, LOGIN_MAX: '3' });
    away.people.set('uid=alice', structuredClone(ALICE));
    const alice = createBrowser(deps);
    await login('alice', 'kurz', alice);
    await away.close();
    for (let n = 0; n < 5; n++)
      expect(await reasonOfRefusal(login('alice', 'kurz', createBrowser(deps)))).toEqual(AWAY);
    expect(await reasonOfRefusal((await alice.api()).stepUp.prove({ password: 'kurz' }))).toEqual(AWAY);
    expect((await login('owner@example.com', PASSWORD, createBrowser(deps))).user.provider).toBe('local');
    expect(lines.join('\n')).toContain('ECONNREFUSED');
  });

  it('signs in by REST into the groups of the directory, which the site says knows the passwords', async () => {
    const site = await startTestServer({ env: { ...server.env, LDAP_GROUPS_ATTRIBUTE: 'memberOf' } });
    const inGroups = (...memberOf: string[]) =>
      server.people.set('uid=alice', { ...ALICE, attributes: { ...ALICE.attributes, memberOf } });
    try {
      const config = (await (await send(site.url, 'GET', '/api/config')).json()) as object;
      expect(config).toMatchObject({ ldap: { enabled: true, username: true }, registrationEnabled: false });
      expect(config).toMatchObject({ emailLoginEnabled: true, passwordResetEnabled: false });
      const signIn = (password: string) => send(site.url, 'POST', '/api/auth/login', { email: 'alice', password });
      const response = await signIn('kurz');
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ user: { provider: 'ldap', email: 'alice@example.com' } });
      expect(response.headers.get('set-cookie')).toContain('refreshToken=');
      expect((await signIn('wrong')).status).toBe(422);
      const groupsNow = async () => {
        const isOf = eq(groups.id, groupMembers.groupId);
        const { query } = site.db;
        const rows = await query.select({ groups, groupMembers }).from(groupMembers).innerJoin(groups, isOf);
        return rows.map((row) => `${row.groups.name} by ${row.groupMembers.source}`).toSorted();
      };
      expect(await groupsNow()).toEqual([]);
      inGroups('cn=Staff,dc=example,dc=com', 'cn=Readers,dc=example,dc=com');
      await signIn('wrong');
      expect(await groupsNow()).toEqual([]);
      await signIn('kurz');
      expect(await groupsNow()).toEqual(['Readers by ldap', 'Staff by ldap']);
      inGroups('cn=readers,dc=example,dc=com');
      await signIn('kurz');
      expect(await groupsNow()).toEqual(['Readers by ldap']);
      const [event] = await site.db.query
        .select()
        .from(auditEvents)
        .where(eq(auditEvents.event, 'group.member_removed'));
      expect(event).toMatchObject({ details: { by: 'ldap', group: 'Staff' } });
    } finally {
      await site.close();
    }
  });
});
