import { users } from '@parley/db/tables/users';
import {
  assertMayEnter,
  assertUser,
  createUser,
  findPasswordHash,
  findUser,
  findUserByEmail,
  presentUser,
  renewPasswordHash,
} from '@parley/server/auth/users';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

test('exactly one of twenty simultaneous first accounts becomes ADMIN', async () => {
  const people = Array.from({ length: 20 }, (_, n) => ({ email: `person${n}@example.com`, name: `Person ${n}` }));
  const created = await Promise.all(people.map((person) => createUser(database.db, person)));
  expect(created.filter((user) => user?.role === 'ADMIN')).toHaveLength(1);
  expect(created.filter((user) => user?.role === 'USER')).toHaveLength(19);
});

test('only the very first account becomes ADMIN, even after it is deleted', async () => {
  const alice = await createUser(database.db, { email: 'alice@example.com', name: 'Alice' });
  expect(alice?.role).toBe('ADMIN');
  await database.db.query.delete(users);
  const bob = await createUser(database.db, { email: 'bob@example.com', name: 'Bob' });
  expect(bob?.role).toBe('USER');
});

test('an e-mail address has one account, whatever its case and however many register at once', async () => {
  const spellings = ['alice@example.com', 'Alice@Example.com', 'ALICE@EXAMPLE.COM', 'alice@example.com'];
  const created = await Promise.all(spellings.map((email) => createUser(database.db, { email, name: 'Alice' })));
  expect(created.filter(Boolean)).toHaveLength(1);
  expect(await findUserByEmail(database.db, 'aLiCe@example.com')).toEqual(created.find(Boolean));
  expect(await findUserByEmail(database.db, 'bob@example.com')).toBeUndefined();
});

test('the public user has every field but secrets and internal ones', async () => {
  const alice = await createAlice();
  const { id } = alice;
  expect(presentUser({ ...alice, passwordHash: 'a hash' })).toEqual({
    id,
    provider: 'local',
    email: 'alice@example.com',
    name: 'Alice',
    username: null,
    avatar: null,
    role: 'ADMIN',
    emailVerified: false,
    plugins: [],
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
});

test('an unknown user is not found', async () => {
  const nobody = '00000000-0000-4000-8000-000000000000';
  const alice = await createAlice();
  expect(await assertUser(database.db, alice.id)).toEqual(alice);
  expect(await findUser(database.db, nobody)).toBeUndefined();
  await expect(assertUser(database.db, nobody)).rejects.toMatchObject({ reason: { type: 'not_found', what: 'user' } });
});

test('a ban lasts until its end', async () => {
  const alice = await createAlice();
  await database.db.query.update(users).set({ bannedUntil: '2030-01-01T12:00:00+02:00' }).where(eq(users.id, alice.id));
  const banned = await assertUser(database.db, alice.id);
  const until = '2030-01-01T10:00:00.000Z';
  expect(() => assertMayEnter(banned, new Date('2030-01-01T09:59:59Z'))).toThrow(
    expect.objectContaining({ reason: { type: 'banned', until } }),
  );
  expect(() => assertMayEnter(banned, new Date(until))).not.toThrow();
  expect(() => assertMayEnter(alice)).not.toThrow();
});

test('a renewed hash replaces the old one and no other', async () => {
  const { id } = await createAlice();
  await database.db.query.update(users).set({ passwordHash: 'a hash' });
  await renewPasswordHash(database.db, id, 'another hash', 'a newer hash');
  expect(await findPasswordHash(database.db.query, id)).toBe('a hash');
  await renewPasswordHash(database.db, id, 'a hash', 'a newer hash');
  expect(await findPasswordHash(database.db.query, id)).toBe('a newer hash');
});

async function createAlice() {
  const alice = await createUser(database.db, { email: 'alice@example.com', name: 'Alice' });
  if (!alice) throw new Error('Alice is there already');
  return alice;
}
