import { setTimeout as sleep } from 'node:timers/promises';
import { users } from '@parley/db/tables/users';
import { createAuthenticator } from '@parley/server/auth/authenticator';
import { createSession, endFamily } from '@parley/server/auth/sessions';
import { signBearer } from '@parley/server/auth/tokens';
import { createUser } from '@parley/server/auth/users';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

const secrets = { jwtSecret: 'a secret of the test, long enough' };
const HOUR = 3_600_000;

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a bearer is good while its sign-in lasts', async () => {
  const { authenticate } = createAuthenticator(database.db, secrets);
  const { user, sid, token } = await signInAs('alice');
  expect(await authenticate(token)).toEqual({ userId: user.id, sid });
  expect(await authenticate('')).toBeNull();
});

test('the end of a sign-in is seen at once here, and elsewhere within five seconds', async () => {
  const here = createAuthenticator(database.db, secrets);
  const elsewhere = createAuthenticator(database.db, secrets);
  const { user, sid, token } = await signInAs('bob');
  expect(await here.authenticate(token)).not.toBeNull();
  expect(await elsewhere.authenticate(token)).not.toBeNull();
  await endFamily(database.db, user.id, sid);
  here.forget(sid);
  expect(await here.authenticate(token)).toBeNull();
  await sleep(5_100);
  expect(await elsewhere.authenticate(token)).toBeNull();
}, 60_000);

test('whoever watches a sign-in is told at once that it may have ended, and nobody else', async () => {
  const auth = createAuthenticator(database.db, secrets);
  const [alan, bess] = [await signInAs('alan'), await signInAs('bess')];
  const told: string[] = [];
  const unwatch = auth.whenForgotten({ userId: alan.user.id, sid: alan.sid }, () => told.push('alan'));
  auth.whenForgotten({ userId: bess.user.id, sid: bess.sid }, () => told.push('bess'));
  auth.forget(alan.sid);
  auth.forgetUser(alan.user.id);
  expect(told).toEqual(['alan', 'alan']);
  unwatch();
  auth.forgetUser(alan.user.id);
  auth.forgetUser(bess.user.id);
  expect(told).toEqual(['alan', 'alan', 'bess']);
});

test('a banned user is let in no more, and again after the ban', async () => {
  const { authenticate, forget } = createAuthenticator(database.db, secrets);
  const { user, sid, token } = await signInAs('carol');
  await banUntil(user.id, new Date(Date.now() + HOUR));
  expect(await authenticate(token)).toBeNull();
  await banUntil(user.id, new Date(Date.now() - HOUR));
  forget(sid);
  expect(await authenticate(token)).not.toBeNull();
});

test('a token of somebody else with this sign-in is nothing', async () => {
  const { authenticate } = createAuthenticator(database.db, secrets);
  const { sid } = await signInAs('dave');
  const { user } = await signInAs('erin');
  expect(await authenticate(await signBearer(secrets.jwtSecret, user, sid, HOUR))).toBeNull();
});

async function signInAs(name: string) {
  const user = await createUser(database.db, { email: `${name}@example.com`, name });
  if (!user) throw new Error(`${name} is there already`);
  const { sid } = await createSession(database.db, HOUR, user.id);
  return { user, sid, token: await signBearer(secrets.jwtSecret, user, sid, HOUR) };
}

async function banUntil(userId: string, until: Date) {
  await database.db.query.update(users).set({ bannedUntil: until.toISOString() }).where(eq(users.id, userId));
}
