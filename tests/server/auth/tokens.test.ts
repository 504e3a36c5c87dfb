import { randomUUID } from 'node:crypto';
import { SignJWT, UnsecuredJWT, decodeJwt } from 'jose';
import { signBearer, verifyBearer } from '@parley/server/auth/tokens';
import { expect, test } from 'vitest';

const SECRET = 'a secret of the test, long enough';
const MINUTE = 60_000;
const alice = { id: randomUUID(), username: 'alice', provider: 'local', email: 'alice@example.com' };
const sid = randomUUID();

test('a token says who one is and which sign-in it is from', async () => {
  const token = await signBearer(SECRET, alice, sid, 15 * MINUTE);
  expect(await verifyBearer(SECRET, token)).toEqual({ userId: alice.id, sid });
  expect(decodeJwt(token)).toEqual({
    ...alice,
    sid,
    aud: 'parley',
    typ: 'access',
    iat: expect.any(Number),
    exp: expect.any(Number),
  });
});

test('it is good for its lifetime', async () => {
  const now = new Date('2030-01-01T12:00:00Z');
  const token = await signBearer(SECRET, alice, sid, 15 * MINUTE, now);
  expect(await verifyBearer(SECRET, token, new Date(now.getTime() + 14 * MINUTE))).not.toBeNull();
  expect(await verifyBearer(SECRET, token, new Date(now.getTime() + 15 * MINUTE))).toBeNull();
});

test('one signed with another secret is nothing', async () => {
  const token = await signBearer('another secret of the test, as long', alice, sid, MINUTE);
  expect(await verifyBearer(SECRET, token)).toBeNull();
});

test('neither an unsigned one nor one of another algorithm, audience or type is accepted', async () => {
  const claims = { id: alice.id, sid, typ: 'access' };
  const key = new TextEncoder().encode(SECRET);
  const sign = (payload: object, alg: string, audience: string) =>
    new SignJWT({ ...payload }).setProtectedHeader({ alg }).setAudience(audience).setExpirationTime('5m').sign(key);
  expect(await verifyBearer(SECRET, await sign(claims, 'HS256', 'parley'))).toEqual({ userId: alice.id, sid });
  expect(await verifyBearer(SECRET, await sign(claims, 'HS512', 'parley'))).toBeNull();
  expect(await verifyBearer(SECRET, await sign(claims, 'HS256', 'elsewhere'))).toBeNull();
  expect(await verifyBearer(SECRET, await sign({ ...claims, typ: 'reset' }, 'HS256', 'parley'))).toBeNull();
  const unsigned = new UnsecuredJWT(claims).setAudience('parley').setExpirationTime('5m').encode();
  expect(await verifyBearer(SECRET, unsigned)).toBeNull();
});

test('one that never runs out is nothing', async () => {
  const key = new TextEncoder().encode(SECRET);
  const claims = { id: alice.id, sid, typ: 'access' };
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setAudience('parley').sign(key);
  expect(await verifyBearer(SECRET, token)).toBeNull();
});

test.each(['', 'x', 'a.b.c', '\u0000', 'Bearer '])('neither is %j', async (token) => {
  expect(await verifyBearer(SECRET, token)).toBeNull();
});
