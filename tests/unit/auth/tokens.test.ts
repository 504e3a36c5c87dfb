import { randomUUID } from 'node:crypto';
import { SignJWT, UnsecuredJWT, decodeJwt } from 'jose';
import { createTokenVerifier, signAccessToken, verifyAccessToken } from '@parley/server/auth/session/access-token';
import { expect, test, vi } from 'vitest';

const SECRET = 'a secret of the test, long enough';
const MINUTE = 60_000;
const alice = { id: randomUUID(), username: 'alice', provider: 'local', email: 'alice@example.com' };
const sid = randomUUID();

test('a token names its user and its session', async () => {
  const token = await signAccessToken(SECRET, alice, sid, 15 * MINUTE);
  expect(await verifyAccessToken(SECRET, token)).toEqual({ userId: alice.id, sid });
  expect(decodeJwt(token)).toEqual({
    ...alice,
    sid,
    aud: 'parley',
    typ: 'access',
    iat: expect.any(Number),
    exp: expect.any(Number),
  });
});

test('a token is valid for its lifetime', async () => {
  const now = new Date('2030-01-01T12:00:00Z');
  const token = await signAccessToken(SECRET, alice, sid, 15 * MINUTE, now);
  expect(await verifyAccessToken(SECRET, token, new Date(now.getTime() + 14 * MINUTE))).not.toBeNull();
  expect(await verifyAccessToken(SECRET, token, new Date(now.getTime() + 15 * MINUTE))).toBeNull();
});

test('a token signed with another secret is refused', async () => {
  const token = await signAccessToken('another secret of the test, as long', alice, sid, MINUTE);
  expect(await verifyAccessToken(SECRET, token)).toBeNull();
});

test('unsigned tokens and tokens of another algorithm, audience or type are refused', async () => {
  const claims = { id: alice.id, sid, typ: 'access' };
  const key = new TextEncoder().encode(SECRET);
  const sign = (payload: object, alg: string, audience: string) =>
    new SignJWT({ ...payload }).setProtectedHeader({ alg }).setAudience(audience).setExpirationTime('5m').sign(key);
  expect(await verifyAccessToken(SECRET, await sign(claims, 'HS256', 'parley'))).toEqual({ userId: alice.id, sid });
  expect(await verifyAccessToken(SECRET, await sign(claims, 'HS512', 'parley'))).toBeNull();
  expect(await verifyAccessToken(SECRET, await sign(claims, 'HS256', 'elsewhere'))).toBeNull();
  expect(await verifyAccessToken(SECRET, await sign({ ...claims, typ: 'reset' }, 'HS256', 'parley'))).toBeNull();
  const unsigned = new UnsecuredJWT(claims).setAudience('parley').setExpirationTime('5m').encode();
  expect(await verifyAccessToken(SECRET, unsigned)).toBeNull();
});

test('a token without an expiry is refused', async () => {
  const key = new TextEncoder().encode(SECRET);
  const claims = { id: alice.id, sid, typ: 'access' };
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setAudience('parley').sign(key);
  expect(await verifyAccessToken(SECRET, token)).toBeNull();
});

test.each(['', 'x', 'a.b.c', '\u0000', 'Bearer '])('%j is refused', async (token) => {
  expect(await verifyAccessToken(SECRET, token)).toBeNull();
});

test('a verified token is remembered until it expires, and nothing else is', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const verify = createTokenVerifier(SECRET);
    const token = await signAccessToken(SECRET, alice, sid, MINUTE);
    expect(await verify(token)).toEqual({ userId: alice.id, sid });
    expect(await verify(token)).toEqual({ userId: alice.id, sid });
    expect(await verify(`${token}x`)).toBeNull();
    vi.advanceTimersByTime(MINUTE);
    expect(await verify(token)).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});
