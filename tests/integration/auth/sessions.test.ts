import { sessions } from '@parley/db/tables/users';
import {
  ABSOLUTE_LIFE_MS,
  REUSE_GRACE_MS,
  createSession,
  revokeAllSessions,
  revokeSessionFamily,
  revokeSession,
  findSession,
  rotateSession,
  sweepExpired,
} from '@parley/server/auth/session/sessions';
import type { IssuedSession, Rotation } from '@parley/server/auth/session/sessions';
import { createUser } from '@parley/server/auth/users';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const IDLE = 7 * DAY;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let alice: string;
let bob: string;

beforeAll(async () => {
  database = await createTestDatabase();
  alice = (await createUser(database.db, { email: 'alice@example.com', name: 'Alice' }))?.id ?? '';
  bob = (await createUser(database.db, { email: 'bob@example.com', name: 'Bob' }))?.id ?? '';
});
afterAll(() => database.drop());

test('a refresh token is replaced by a new one of the same session', async () => {
  const first = await createSession(database.db, IDLE, alice);
  const second = await rotate(first);
  expect(second.token).not.toBe(first.token);
  expect(second).toMatchObject({ userId: alice, sid: first.sid });
  expect(Buffer.from(first.token, 'base64url')).toHaveLength(32);
});

test('the database holds no refresh token', async () => {
  const { token } = await createSession(database.db, IDLE, alice);
  const rows = await database.db.query.select().from(sessions);
  expect(JSON.stringify(rows)).not.toContain(token);
  for (const { id } of rows) {
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(await rotateSession(database.db, IDLE, id)).toEqual({ outcome: 'unknown' });
  }
});

test('twelve tabs that refresh together all stay signed in', async () => {
  const { token, sid } = await createSession(database.db, IDLE, alice);
  const tabs = await Promise.all(Array.from({ length: 12 }, () => rotateSession(database.db, IDLE, token)));
  const successors = tabs.map(assertRotated);
  expect(new Set(successors.map((successor) => successor.token)).size).toBe(12);
  expect(successors.every((successor) => successor.sid === sid)).toBe(true);
  const again = await Promise.all(successors.map((successor) => rotateSession(database.db, IDLE, successor.token)));
  expect(again.every(({ outcome }) => outcome === 'rotated')).toBe(true);
});

test('a reused token gets a sibling within the grace period and ends the whole session after it', async () => {
  const start = new Date();
  const first = await createSession(database.db, IDLE, alice, start);
  const second = await rotate(first, start);
  const sibling = await rotate(first, after(start, REUSE_GRACE_MS));
  expect(sibling.sid).toBe(first.sid);
  const late = await rotateSession(database.db, IDLE, first.token, after(start, REUSE_GRACE_MS + 1));
  expect(late).toEqual({ outcome: 'reused', userId: alice, sid: first.sid });
  for (const { token } of [first, second, sibling]) {
    expect(await rotateSession(database.db, IDLE, token)).toEqual({ outcome: 'unknown' });
  }
});

test('reuse does not extend the grace period', async () => {
  const start = new Date();
  const first = await createSession(database.db, IDLE, alice, start);
  await rotate(first, start);
  await rotate(first, after(start, 8 * SECOND));
  const late = await rotateSession(database.db, IDLE, first.token, after(start, 16 * SECOND));
  expect(late.outcome).toBe('reused');
});

test('a reused token ends its own session and no other', async () => {
  const start = new Date();
  const laptop = await createSession(database.db, IDLE, alice, start);
  const phone = await createSession(database.db, IDLE, alice, start);
  await rotate(laptop, start);
  await rotateSession(database.db, IDLE, laptop.token, after(start, MINUTE));
  expect(await findSession(database.db, null, alice, laptop.sid)).toBeUndefined();
  expect(await findSession(database.db, null, alice, phone.sid)).toMatchObject({
    bannedUntil: null,
    state: 'active',
    lacksFactor: false,
  });
});

test('an unused session expires after seven days', async () => {
  const start = new Date();
  const used = await createSession(database.db, IDLE, alice, start);
  const unused = await createSession(database.db, IDLE, alice, start);
  expect(unused.expiresAt).toEqual(after(start, IDLE));
  const kept = await rotate(used, after(start, IDLE - MINUTE));
  expect(kept.expiresAt.getTime()).toBeCloseTo(start.getTime() + 2 * IDLE - MINUTE, -2);
  // What is stored may end a few milliseconds later than was reported: it is counted from when it was written.
  expect(await rotateSession(database.db, IDLE, unused.token, after(start, IDLE + MINUTE))).toEqual({
    outcome: 'unknown',
  });
});

test('a session in daily use expires after thirty days', async () => {
  const start = new Date();
  let session = await createSession(database.db, IDLE, alice, start);
  for (let day = 1; day < 30; day++) session = await rotate(session, after(start, day * DAY));
  expect(session.expiresAt.getTime()).toBeCloseTo(start.getTime() + ABSOLUTE_LIFE_MS, -2);
  const end = await rotateSession(database.db, IDLE, session.token, after(start, ABSOLUTE_LIFE_MS));
  expect(end).toEqual({ outcome: 'unknown' });
});

test('a session continues and expires when the clock is set back by an hour', async () => {
  const start = new Date();
  const first = await createSession(database.db, IDLE, alice, start);
  const second = await rotate(first, after(start, -60 * MINUTE));
  expect(await rotateSession(database.db, IDLE, second.token, after(start, IDLE))).toEqual({ outcome: 'unknown' });
});

test('ending a session wins over a concurrent rotation', async () => {
  for (let round = 0; round < 10; round++) {
    const { token, sid } = await createSession(database.db, IDLE, alice);
    const rotations = Array.from({ length: 3 }, () => rotateSession(database.db, IDLE, token));
    await Promise.all([...rotations, revokeSessionFamily(database.db, alice, sid)]);
    expect(await findSession(database.db, null, alice, sid)).toBeUndefined();
  }
});

test('signing out invalidates every token of the session and returns its id', async () => {
  const first = await createSession(database.db, IDLE, alice);
  const second = await rotate(first);
  expect(await revokeSession(database.db, second.token)).toEqual({ userId: alice, sid: first.sid });
  expect(await revokeSession(database.db, second.token)).toBeUndefined();
  expect(await rotateSession(database.db, IDLE, first.token)).toEqual({ outcome: 'unknown' });
});

test('signing out everywhere ends all sessions of one user only', async () => {
  const hers = await Promise.all([1, 2, 3].map(() => createSession(database.db, IDLE, alice)));
  const his = await createSession(database.db, IDLE, bob);
  await revokeAllSessions(database.db, alice);
  for (const { sid } of hers) expect(await findSession(database.db, null, alice, sid)).toBeUndefined();
  expect(await findSession(database.db, null, bob, his.sid)).toBeDefined();
});

test('a session is found for its own user only', async () => {
  const { sid } = await createSession(database.db, IDLE, alice);
  expect(await findSession(database.db, null, alice, sid)).toBeDefined();
  expect(await findSession(database.db, null, bob, sid)).toBeUndefined();
  expect(await findSession(database.db, null, alice, sid, after(new Date(), IDLE + MINUTE))).toBeUndefined();
});

test('expired tokens are swept, the others stay', async () => {
  const old = await createSession(database.db, IDLE, alice);
  const young = await createSession(database.db, IDLE, alice);
  await database.db.query
    .update(sessions)
    .set({ expiresAt: new Date(0) })
    .where(eq(sessions.family, old.sid));
  await sweepExpired(database.db);
  const rows = await database.db.query.select().from(sessions);
  expect(rows.some(({ family }) => family === old.sid)).toBe(false);
  expect(rows.some(({ family }) => family === young.sid)).toBe(true);
});

test.each(['', 'x', '\u0000', 'a'.repeat(10_000)])('a made-up token is refused', async (token) => {
  expect(await rotateSession(database.db, IDLE, token)).toEqual({ outcome: 'unknown' });
});

async function rotate(session: IssuedSession, now?: Date) {
  return assertRotated(await rotateSession(database.db, IDLE, session.token, now));
}

function assertRotated(rotation: Rotation) {
  if (rotation.outcome !== 'rotated') throw new Error(`The token is ${rotation.outcome}`);
  return rotation;
}

function after(date: Date, ms: number) {
  return new Date(date.getTime() + ms);
}
