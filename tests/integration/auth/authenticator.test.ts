import { users } from '@parley/db/tables/users';
import { createAuthenticator } from '@parley/server/auth/session/authenticator';
import { createSession, revokeSessionFamily } from '@parley/server/auth/session/sessions';
import { signAccessToken } from '@parley/server/auth/session/access-token';
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

test('an access token is valid while its session lasts', async () => {
  const { authenticate } = createAuthenticator(database.db, secrets);
  const { user, sid, token } = await signInAs('alice');
  expect(await authenticate(token)).toEqual({ userId: user.id, sid });
  expect(await authenticate('')).toBeNull();
});

test('the end of a session is noticed at once here and within five seconds in other processes', async () => {
  let now = 0;
  const here = createAuthenticator(database.db, secrets);
  const elsewhere = createAuthenticator(database.db, secrets, () => now);
  const { user, sid, token } = await signInAs('bob');
  expect(await here.authenticate(token)).not.toBeNull();
  expect(await elsewhere.authenticate(token)).not.toBeNull();
  await revokeSessionFamily(database.db, user.id, sid);
  here.invalidate(sid);
  expect(await here.authenticate(token)).toBeNull();
  now += 4_999;
  expect(await elsewhere.authenticate(token)).not.toBeNull();
  now += 1;
  expect(await elsewhere.authenticate(token)).toBeNull();
});

test('only the watcher of a session is notified that it may have ended', async () => {
  const auth = createAuthenticator(database.db, secrets);
  const [alan, bess] = [await signInAs('alan'), await signInAs('bess')];
  const told: string[] = [];
  const unwatch = auth.onInvalidate({ userId: alan.user.id, sid: alan.sid }, () => told.push('alan'));
  auth.onInvalidate({ userId: bess.user.id, sid: bess.sid }, () => told.push('bess'));
  auth.invalidate(alan.sid);
  auth.invalidateUser(alan.user.id);
  expect(told).toEqual(['alan', 'alan']);
  unwatch();
  auth.invalidateUser(alan.user.id);
  auth.invalidateUser(bess.user.id);
  expect(told).toEqual(['alan', 'alan', 'bess']);
});

test('a banned user is refused until the ban ends', async () => {
  const { authenticate, invalidate } = createAuthenticator(database.db, secrets);
  const { user, sid, token } = await signInAs('carol');
  await banUntil(user.id, new Date(Date.now() + HOUR));
  expect(await authenticate(token)).toBeNull();
  await banUntil(user.id, new Date(Date.now() - HOUR));
  invalidate(sid);
  expect(await authenticate(token)).not.toBeNull();
});

test('a token that names the session of another user is refused', async () => {
  const { authenticate } = createAuthenticator(database.db, secrets);
  const { sid } = await signInAs('dave');
  const { user } = await signInAs('erin');
  expect(await authenticate(await signAccessToken(secrets.jwtSecret, user, sid, HOUR))).toBeNull();
});

async function signInAs(name: string) {
  const user = await createUser(database.db, { email: `${name}@example.com`, name });
  if (!user) throw new Error(`${name} is there already`);
  const { sid } = await createSession(database.db, HOUR, user.id);
  return { user, sid, token: await signAccessToken(secrets.jwtSecret, user, sid, HOUR) };
}

async function banUntil(userId: string, until: Date) {
  await database.db.query.update(users).set({ bannedUntil: until.toISOString() }).where(eq(users.id, userId));
}
