// What an OpenID site says about groups and administrators, made so at each sign-in. Over HTTP, by the fake site.
import { auditEvents, groupMembers, groups } from '@parley/db/tables/administration';
import { users } from '@parley/db/tables/users';
import { startFakeIdentity, type FakeIdentity } from '@parley/scripts/fake-identity';
import { createApiKey } from '@parley/server/api-keys/api-keys';
import { and, asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { createOAuthBrowser } from './oauth-browser.ts';

const HOME = 'http://parley.test';
const RIGHTS = {
  OPENID_REQUIRED_ROLE: 'guest, staff',
  OPENID_REQUIRED_ROLE_TOKEN_KIND: 'userinfo',
  OPENID_REQUIRED_ROLE_PARAMETER_PATH: 'realm_access.roles',
  OPENID_ADMIN_ROLE: 'owner',
  OPENID_ADMIN_ROLE_TOKEN_KIND: 'access',
  OPENID_ADMIN_ROLE_PARAMETER_PATH: 'realm_access.roles',
  OPENID_GROUPS_CLAIM: 'groups',
  OPENID_GROUPS: 'team-*,readers,Writers',
};

let identity: FakeIdentity;
let server: TestServer;

beforeAll(async () => {
  identity = await startFakeIdentity();
  server = await startTestServer({ env: { DOMAIN_SERVER: HOME, LOGIN_MAX: '1000', ...identity.env, ...RIGHTS } });
});
afterAll(async () => {
  await server?.close();
  await identity?.close();
});

const IDS = new Map(['erin', 'frank', 'grace', 'heidi'].map((name, n) => [name, String(3001 + n)]));

/** Signs in with these claims; where the browser ends. */
function comesWith(
  name: string,
  claims: { roles?: string[]; groups?: unknown },
  browser = createOAuthBrowser(server.url),
): Promise<string> {
  const person = { id: IDS.get(name) ?? '', name, login: name, email: `${name}@example.com`, verified: true };
  identity.introduce(name, { ...person, roles: ['staff'], ...claims });
  return browser.signIn('openid', name);
}

async function rowOf(name: string) {
  const [row] = await server.db.query
    .select()
    .from(users)
    .where(eq(users.email, `${name}@example.com`));
  return row;
}

async function groupsOf(name: string) {
  const rows = await server.db.query
    .select({ name: groups.name, source: groupMembers.source })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .innerJoin(users, eq(users.id, groupMembers.userId))
    .where(eq(users.email, `${name}@example.com`))
    .orderBy(asc(groups.name));
  return rows.map((row) => `${row.name} by ${row.source}`);
}

/** Those since the last time. */
let told = 0;
async function newEvents() {
  const rows = await server.db.query.select().from(auditEvents).orderBy(asc(auditEvents.id));
  const said = rows
    .slice(told)
    .map(({ event, details }) => `${event} ${details['group'] ?? details['role'] ?? details['name']}`);
  told = rows.length;
  return said;
}

it('the groups of the claim are made, joined and left, those of administrators stay', async () => {
  const all = { groups: ['/team-b', 'team-a', 'readers', 'other', 7] };
  expect(await comesWith('erin', all)).toBe(`${HOME}/`);
  expect(await groupsOf('erin')).toEqual(['readers by oidc', 'team-a by oidc', 'team-b by oidc']);
  const joined = ['readers', 'team-a', 'team-b'].map((name) => `group.member_added ${name}`);
  const made = ['readers', 'team-a', 'team-b'].map((name) => `group.created ${name}`);
  expect((await newEvents()).toSorted()).toEqual([...made, ...joined].toSorted());

  const { id: userId = '' } = (await rowOf('erin')) ?? {};
  const [byHand] = await server.db.query.insert(groups).values({ name: 'By hand' }).returning();
  const [writers] = await server.db.query.insert(groups).values({ name: 'writers' }).returning();
  if (!byHand || !writers) throw new Error('The groups are missing');
  await server.db.query.insert(groupMembers).values([{ groupId: byHand.id, userId }]);
  await comesWith('erin', { groups: ['TEAM-A', 'team-b', 'Writers'] });
  expect(await groupsOf('erin')).toEqual(['By hand by admin', 'team-b by oidc', 'writers by oidc']);
  expect((await newEvents()).toSorted()).toEqual(
    ['added writers', 'removed readers', 'removed team-a'].map((end) => `group.member_${end}`),
  );

  // An administrator adds whom the site had put there.
  await server.db.query
    .update(groupMembers)
    .set({ source: 'admin' })
    .where(and(eq(groupMembers.userId, userId), eq(groupMembers.groupId, writers.id)));
  await comesWith('erin', { groups: ['Writers'] });
  expect(await groupsOf('erin')).toEqual(['By hand by admin', 'writers by admin']);
  expect(await newEvents()).toEqual(['group.member_removed team-b']);
  await comesWith('erin', {});
  await comesWith('erin', { groups: ['Writers'] });
  expect(await groupsOf('erin')).toEqual(['By hand by admin', 'writers by admin']);
  expect(await newEvents()).toEqual([]);
});

it('two sign-ins at once make a group once', async () => {
  const many = { groups: ['team-x', 'team-y', 'team-z'] };
  const ends = await Promise.all([comesWith('erin', many), comesWith('frank', many), comesWith('erin', many)]);
  expect(ends).toEqual([`${HOME}/`, `${HOME}/`, `${HOME}/`]);
  for (const name of ['erin', 'frank'])
    expect((await groupsOf(name)).filter((group) => group.startsWith('team-'))).toHaveLength(3);
  expect((await newEvents()).filter((event) => event.startsWith('group.created'))).toHaveLength(3);
});

it('the role of administrators is given and taken, and the last one keeps it', async () => {
  // The one that came first.
  expect(await rowOf('erin')).toMatchObject({ role: 'ADMIN' });
  await comesWith('erin', {});
  expect(await rowOf('erin')).toMatchObject({ role: 'ADMIN' });
  await newEvents();

  await comesWith('frank', { roles: ['guest', 'owner'] });
  expect(await rowOf('frank')).toMatchObject({ role: 'ADMIN' });
  await comesWith('erin', {});
  expect(await rowOf('erin')).toMatchObject({ role: 'USER' });
  expect((await newEvents()).filter((event) => event.startsWith('person.'))).toEqual([
    'person.role_changed ADMIN',
    'person.role_changed USER',
  ]);
  await comesWith('frank', {});
  expect(await rowOf('frank')).toMatchObject({ role: 'ADMIN' });
  expect((await newEvents()).filter((event) => event.startsWith('person.'))).toEqual([]);
});

it('the last administrator without the required role is refused, and nothing changes', async () => {
  const before = await groupsOf('frank');
  const end = await comesWith('frank', { roles: ['owner'], groups: ['readers'] });
  expect(end).toBe(`${HOME}/login?error=social_login&why=no_role`);
  expect(await groupsOf('frank')).toEqual(before);
  expect(await newEvents()).toEqual([]);
});

describe('somebody who has lost the required role', () => {
  const NO_ROLE = `${HOME}/login?error=social_login&why=no_role`;
  const modelsBy = async (key: string) => {
    const response = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    return response.status;
  };

  it('loses the sessions on all devices and the keys with the next sign-in there, and has the keys again with the role', async () => {
    const [laptop, phone] = [createOAuthBrowser(server.url), createOAuthBrowser(server.url)];
    await comesWith('grace', {}, laptop);
    await comesWith('grace', {}, phone);
    const { id: userId = '' } = (await rowOf('grace')) ?? {};
    const named = { name: 'Program', scopes: ['models' as const], endpoints: null, monthlyCredits: null };
    const { key } = await createApiKey(server.db, userId, named);
    expect(await modelsBy(key)).toBe(200);
    expect(await phone.user()).toMatchObject({ email: 'grace@example.com' });
    await newEvents();

    expect(await comesWith('grace', { roles: [] }, laptop)).toBe(NO_ROLE);
    expect(await phone.user()).toBeNull();
    expect(await laptop.user()).toBeNull();
    await expect.poll(() => modelsBy(key)).toBe(401);
    expect(await rowOf('grace')).toMatchObject({ state: 'disabled' });
    expect(await newEvents()).toEqual(['person.left_directory grace']);
    expect(await comesWith('grace', { roles: [] })).toBe(NO_ROLE);
    expect(await newEvents()).toEqual([]);

    expect(await comesWith('grace', {}, laptop)).toBe(`${HOME}/`);
    expect(await laptop.user()).toMatchObject({ email: 'grace@example.com' });
    await expect.poll(() => modelsBy(key)).toBe(200);
    expect(await newEvents()).toEqual(['person.returned_to_directory grace']);
  });

  it('stays out with the role again where an administrator has disabled the account', async () => {
    await server.db.query.update(users).set({ state: 'disabled' }).where(eq(users.email, 'grace@example.com'));
    expect(await comesWith('grace', {})).toBe(`${HOME}/login?error=account_disabled`);
  });

  it('keeps an account that was made here with a password, which the site does not give', async () => {
    const values = { email: 'heidi@example.com', name: 'heidi', emailVerified: true, passwordHash: 'of this server' };
    await server.db.query.insert(users).values(values);
    expect(await comesWith('heidi', {})).toBe(`${HOME}/`);
    expect(await comesWith('heidi', { roles: [] })).toBe(NO_ROLE);
    expect(await rowOf('heidi')).toMatchObject({ state: 'active' });
  });
});
