// Leaving the directory: it is asked again about people who sign in by it, each day and when a session is renewed.
import { auditEvents } from '@parley/db/tables/administration';
import { limits } from '@parley/db/tables/limits';
import { identities, users } from '@parley/db/tables/users';
import { disable } from '@parley/server/admin/people/change-person';
import { isInDirectory } from '@parley/server/auth/ldap/directory';
import { loadConfig } from '@parley/server/load-config';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startLdapServer, type LdapServer } from '../../support/accounts/ldap-server.ts';
import { createSoftwarePasskey } from '../../support/accounts/software-passkey.ts';
import { createTestDatabase } from '../../support/database.ts';
import { createFolder } from '../../support/folders.ts';
import { openTestServices } from '../../support/services.ts';
import { createAccounts, createBrowser, reasonOfRefusal } from './browser.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const person = (uid: string) => ({
  password: 'kurz',
  attributes: { uid, mail: `${uid}@example.com`, givenName: uid, sn: 'Example' },
});
const NEVER = new AbortController().signal;

let directory: LdapServer;

beforeAll(async () => {
  directory = await startLdapServer();
});
afterAll(() => directory.close());
beforeEach(() => {
  directory.people.clear();
  for (const name of ['alice', 'bob']) directory.people.set(`uid=${name}`, person(name));
});

describe('the directory', () => {
  const fileTime = (ms: number) => String((BigInt(ms) + 11_644_473_600_000n) * 10_000n);

  async function stillHas(attributes: Record<string, string | string[]>, filter = 'uid={{username}}') {
    const env = { ...directory.env, LDAP_SEARCH_FILTER: filter };
    const { ldap } = (await loadConfig({ env, cwd: createFolder() })).accounts;
    if (!ldap) throw new Error('There is no directory');
    const before = person('alice');
    directory.people.set('uid=alice', { ...before, attributes: { ...before.attributes, ...attributes } });
    return isInDirectory(ldap, 'alice');
  }

  it.each([
    ['Active Directory', { userAccountControl: '514' }, { userAccountControl: '512' }],
    [
      'Active Directory by a date',
      { accountExpires: fileTime(Date.now() - 60_000) },
      { accountExpires: fileTime(Date.now() + 3_600_000) },
    ],
    ['Active Directory without a date', { userAccountControl: '66050' }, { accountExpires: '9223372036854775807' }],
    ['389 and FreeIPA', { nsAccountLock: 'TRUE' }, { nsAccountLock: 'FALSE' }],
    ['eDirectory', { loginDisabled: 'TRUE' }, { loginDisabled: 'FALSE' }],
    ['OpenLDAP', { pwdAccountLockedTime: '000001010000Z' }, { pwdAccountLockedTime: '20260101000000Z' }],
  ])('says who is switched off, as %s does', async (_, off, on) => {
    expect(await stillHas(off)).toBe(false);
    expect(await stillHas(on)).toBe(true);
  });

  it('is asked with the conditions of the filter, where these can be asked without a name', async () => {
    const filter = '(&(|(uid={{username}})(mail={{username}}))(memberOf=cn=staff))';
    expect(await stillHas({ memberOf: 'cn=staff' }, filter)).toBe(true);
    expect(await stillHas({ memberOf: 'cn=former' }, filter)).toBe(false);
    expect(await stillHas({}, '(cn:caseExactMatch:={{username}})')).toBe(true);
    // An id in other capitals is the same person.
    expect(await stillHas({ uid: 'ALICE' })).toBe(true);
    expect(await stillHas({ uid: 'alison', mail: 'alice' })).toBe(false);
  });
});

describe('a person of the directory', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let accounts: Awaited<ReturnType<typeof createAccounts>>;
  let admin: string;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    const { query } = database.db;
    for (const table of [users, limits, auditEvents]) await query.delete(table);
    accounts = await createAccounts(database.db, { LOGIN_MAX: '1000', ...directory.env });
    const values = { email: 'root@example.com', name: 'Root', role: 'ADMIN' as const };
    admin = (await query.insert(users).values(values).returning())[0]?.id ?? '';
  });

  async function signIn(name: string, at = createBrowser(accounts.deps)) {
    const answer = await (await at.api()).login({ email: name, password: 'kurz' });
    at.token = answer.token;
    return { browser: at, id: answer.user.id };
  }
  const makeDue = () => database.db.query.update(identities).set({ askDueAt: sql`now()` });
  const askDue = () => accounts.deps.directoryWatch.askDue(NEVER);
  const stateOf = async (id: string) =>
    (await database.db.query.select().from(users).where(eq(users.id, id)))[0]?.state;
  const events = async () => (await database.db.query.select().from(auditEvents)).map(({ event }) => event);

  it('loses the session and the passkey when they leave; others keep theirs, and no one is asked about twice a day', async () => {
    const [alice, bob] = [await signIn('alice'), await signIn('bob')];
    const passkey = createSoftwarePasskey();
    const { passkeys } = await alice.browser.api();
    await passkeys.add({ attestation: passkey.attestation(await passkeys.begin()) });
    directory.people.delete('uid=alice');
    directory.filters = [];
    await askDue();
    // They have just signed in.
    expect(directory.filters).toEqual([]);
    await makeDue();
    await askDue();
    expect(directory.filters).toHaveLength(2);
    await askDue();
    expect(directory.filters).toHaveLength(2);
    expect(await reasonOfRefusal(alice.browser.me())).toMatchObject({ type: 'unauthorized' });
    const visitor = await createBrowser(accounts.deps).api();
    const assertion = passkey.assertion(await visitor.passkeys.options());
    expect(await reasonOfRefusal(visitor.passkeys.signIn({ assertion }))).toEqual({ type: 'account_disabled' });
    expect((await bob.browser.me()).id).toBe(bob.id);
    expect(await events()).toEqual(['person.left_directory']);
  });

  it('is asked about when a session is renewed after a day, and refused then', async () => {
    const { browser, id } = await signIn('alice');
    directory.people.delete('uid=alice');
    expect((await browser.refresh())?.user.id).toBe(id);
    await makeDue();
    expect(await reasonOfRefusal(browser.refresh())).toEqual({ type: 'unauthorized' });
    expect(await stateOf(id)).toBe('disabled');
    expect(browser.cookie).toBe('');
  });

  it('keeps everything while the directory is away, which is logged and tried again', async () => {
    const away = await startLdapServer();
    away.people.set('uid=alice', person('alice'));
    accounts = await createAccounts(database.db, { ...away.env }, { directoryRetryMs: 0 });
    const { browser, id } = await signIn('alice');
    await away.close();
    await makeDue();
    await askDue();
    expect((await browser.refresh())?.user.id).toBe(id);
    expect(await stateOf(id)).toBe('active');
    expect(accounts.lines.filter((line) => line.includes('directory.failed'))).toHaveLength(2);
    // Another server reaches it.
    accounts = await createAccounts(database.db, directory.env);
    directory.people.delete('uid=alice');
    await askDue();
    expect(await stateOf(id)).toBe('disabled');
  });

  it('is let in again by the directory’s password, unless an administrator has disabled the account meanwhile', async () => {
    const { id } = await signIn('alice');
    const leaves = async () => {
      directory.people.delete('uid=alice');
      await makeDue();
      await askDue();
      expect(await stateOf(id)).toBe('disabled');
      directory.people.set('uid=alice', person('alice'));
    };
    await leaves();
    expect((await signIn('alice')).id).toBe(id);
    expect(await events()).toEqual(['person.left_directory', 'person.returned_to_directory']);
    await leaves();
    await disable({ db: database.db, config: accounts.deps.config, actor: { id: admin, ip: null } }, id);
    expect(await reasonOfRefusal(signIn('alice'))).toEqual({ type: 'account_disabled' });
  });

  it('stays when they are the last administrator', async () => {
    const { id } = await signIn('alice');
    await database.db.query.update(users).set({ role: 'ADMIN' }).where(eq(users.id, id));
    await database.db.query.delete(users).where(eq(users.id, admin));
    directory.people.delete('uid=alice');
    await makeDue();
    await askDue();
    expect(await stateOf(id)).toBe('active');
    expect(accounts.lines.join('\n')).toContain('directory.last_administrator');
  });

  it('is asked about once, whichever of several servers does it', async () => {
    for (const name of ['alice', 'bob']) await signIn(name);
    await makeDue();
    directory.filters = [];
    await Promise.all([askDue(), askDue(), askDue()]);
    expect(directory.filters).toHaveLength(2);
  });
});

it('a server asks by itself, and keys of somebody who left open nothing', async () => {
  const services = await openTestServices({ ...directory.env }, { directoryEveryMs: 50, directoryAnswerMs: 50 });
  try {
    const { deps } = services;
    await services.as('erin', 'ADMIN');
    const bob = await services.as('bob');
    await deps.db.query.insert(identities).values({ provider: 'ldap', subject: 'bob', userId: bob.id });
    const { key } = await bob.api.apiKeys.create({ name: 'Program', scopes: ['chat'] });
    expect(await deps.keyHolders.find(key)).not.toBeNull();
    directory.people.delete('uid=bob');
    await expect.poll(() => deps.keyHolders.find(key), { timeout: 50_000 }).toBeNull();
  } finally {
    await services.close();
  }
});
