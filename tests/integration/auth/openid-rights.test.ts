// What an OpenID site says about groups and administrators, made so at each sign-in. Over HTTP, by the fake site.
import { auditEvents, groupMembers, groups } from '@parley/db/tables/administration';
import { users } from '@parley/db/tables/users';
import { startFakeIdentity, type FakeIdentity } from '@parley/scripts/fake-identity';
import { and, asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

/** Signs in with these claims; where the browser ends. */
function comesWith(name: string, claims: { roles?: string[]; groups?: unknown }): Promise<string> {
  const id = name === 'erin' ? '3001' : '3002';
  const person = { id, name, login: name, email: `${name}@example.com`, verified: true };
  identity.introduce(name, { ...person, roles: ['staff'], ...claims });
  return createOAuthBrowser(server.url).signIn('openid', name);
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
  // Whoever came first.
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

it('whoever lacks the required role is refused, and nothing changes', async () => {
  const before = await groupsOf('frank');
  const end = await comesWith('frank', { roles: ['owner'], groups: ['readers'] });
  expect(end).toBe(`${HOME}/login?error=social_login&why=no_role`);
  expect(await groupsOf('frank')).toEqual(before);
  expect(await newEvents()).toEqual([]);
});
