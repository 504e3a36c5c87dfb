import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { auditEvents, groups } from '@parley/db/tables/administration';
import { root } from '@parley/scripts/build-stamps';
import { verifyPassword } from '@parley/server/auth/password/password-hash';
import { createUser, findUserByEmail } from '@parley/server/auth/users';
import { manageUsers } from '@parley/server/commands/user';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { createFolder } from '../../support/folders.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  for (const [name, value] of Object.entries(environment())) vi.stubEnv(name, value);
  await createUser(database.db, { email: 'alice@example.com', name: 'Alice' });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await database.drop();
});

test('groups are listed, and people are put in and taken out', async () => {
  expect(await user('groups', 'list')).toBe('There are no groups.');
  await database.db.query.insert(groups).values({ name: 'Staff' });
  expect(await user('groups', 'list', 'staff')).toBe('Nobody is in it.');
  expect(await user('groups', 'add', 'staff', 'alice@example.com')).toBe('alice@example.com is in the group Staff.');
  expect(await user('groups', 'list')).toBe('Staff\t1');
  expect(await user('groups', 'list', 'Staff')).toBe('alice@example.com\tAlice');
  expect(await user('groups', 'remove', 'Staff', 'alice@example.com')).toMatch(/is not in the group Staff\.$/);
  expect(await user('groups', 'list', 'Staff')).toBe('Nobody is in it.');
  await expect(user('groups', 'add', 'Nobody', 'alice@example.com')).rejects.toThrow('There is no group named Nobody.');
  await expect(user('groups', 'join', 'Staff', 'alice@example.com')).rejects.toThrow('Usage: npm run user -- groups');
  const rows = await database.db.query.delete(auditEvents).returning();
  expect(rows.map(({ event }) => event)).toEqual(['group.member_added', 'group.member_removed']);
});

test('people are added, changed and removed as in the app, each time with an event without an administrator', async () => {
  expect(await user('add', 'Bob@Example.com', 'Bob', 'Li')).toMatch(
    /^bob@example\.com has an account\. The link .* within 30 minutes:\nhttp.*\/reset-password\?token=[\da-f]{64}&userId=/,
  );
  expect(await user('role', 'bob@example.com', 'admin')).toBe('bob@example.com is an administrator.');
  expect(await rowOf('bob')).toMatchObject({ name: 'Bob Li', role: 'ADMIN' });
  expect(await user('role', 'bob@example.com', 'user')).toBe('bob@example.com is no administrator.');
  expect(await user('disable', 'bob@example.com')).toBe('bob@example.com is disabled and signed out everywhere.');
  expect(await rowOf('bob')).toMatchObject({ state: 'disabled' });
  expect(await user('enable', 'bob@example.com')).toBe('bob@example.com may sign in.');
  expect(await user('end-sessions', 'bob@example.com')).toBe('bob@example.com is signed out everywhere.');
  expect(await user('remove', 'bob@example.com')).toMatch(/is deleted on \d{4}-/);
  expect(await user('list', 'bob')).toMatch(/^bob@example\.com\tBob Li\tUSER\tdeleted soon\tsigned in nowhere$/);
  expect(await user('enable', 'bob@example.com')).toBe('bob@example.com may sign in.');
  expect(await rowOf('bob')).toMatchObject({ state: 'active', deletionDueAt: null });
  expect(await user('invite', 'carol@example.com', '--days', '3')).toMatch(
    /^carol@example\.com can register by this link, once within 3 day\(s\):\nhttp.*\/register\?invitation=/,
  );
  const events = await database.db.query.select().from(auditEvents).orderBy(auditEvents.id);
  expect(events.map(({ event, actorId }) => [event, actorId])).toEqual([
    ['person.created', null],
    ['person.role_changed', null],
    ['person.role_changed', null],
    ['person.disabled', null],
    ['person.enabled', null],
    ['person.signed_out', null],
    ['person.removed', null],
    ['person.enabled', null],
    ['person.invited', null],
  ]);
});

test('a password is read from the input, not from the command', async () => {
  const command = ['scripts/install.mjs', 'user', 'add', 'dave@example.com', 'Dave', '--admin', '--password-stdin'];
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end('nine green bottles\n');
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  const dave = await rowOf('dave');
  expect(dave?.role).toBe('ADMIN');
  expect(await verifyPassword(dave?.passwordHash ?? null, 'nine green bottles')).toBe(true);
});

test.each([
  [['disable', 'alice@example.com'], 'There is always at least one administrator: give somebody else the role first.'],
  [['disable'], 'Usage: npm run user -- disable <email>'],
  [['disable', 'nobody@example.com'], 'Nobody has an account with the e-mail address nobody@example.com.'],
  [['add', 'alice@example.com', 'Alice'], 'There is an account with this e-mail address.'],
  [['add', 'alice', 'Alice'], 'You must enter a valid email address.'],
  [['role', 'alice@example.com', 'boss'], 'The role is admin or user.'],
  [['list', '--loud'], 'There is no option --loud.'],
])('%j is answered with one sentence', async (args, sentence) => {
  // Dave of the test before is an administrator, too.
  await database.db.sql`update users set role = 'USER' where email = 'dave@example.com'`;
  await expect(user(...args)).rejects.toThrow(new Error(sentence));
});

test('the command says what there is when it gets no word', async () => {
  await expect(user()).rejects.toThrow('npm run user -- invite [email] [--admin] [--days <days>]\n');
});

function environment(): Record<string, string> {
  const { folder, user: name } = inject('database');
  const DATABASE_URL = `postgres:///${database.connection.database}`;
  return { PGHOST: folder, PGUSER: name, DATABASE_URL, DATA_DIR: createFolder() };
}

/** As the command prints it; tests of the image run it as a process of its own. */
function user(...args: string[]): Promise<string> {
  return manageUsers(args, join(root, 'db/migrations'));
}

function rowOf(name: string) {
  return findUserByEmail(database.db, `${name}@example.com`);
}
