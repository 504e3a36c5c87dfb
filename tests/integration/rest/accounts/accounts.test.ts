import { users } from '@parley/db/tables/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { PASSWORD, send, signUp, type Client } from '../../../support/rest/client.ts';

const USER = {
  id: expect.any(String),
  provider: 'local',
  email: 'alice@example.com',
  name: 'alice',
  username: null,
  avatar: null,
  role: 'ADMIN',
  emailVerified: false,
  plugins: [],
  createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
  updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
};

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { LOGIN_MAX: '50', REGISTER_MAX: '50' } });
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

const post = (path: string, body?: unknown, headers?: HeadersInit) => send(server.url, 'POST', path, body, headers);
const form = (name: string, over: object = {}) => ({
  name,
  email: `${name}@example.com`,
  password: PASSWORD,
  confirm_password: PASSWORD,
  ...over,
});
const login = (email = 'alice@example.com', password = PASSWORD) => post('/api/auth/login', { email, password });
const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';

describe('registering', () => {
  it('returns the user, the token in a header and the cookie', async () => {
    const response = await post('/api/auth/register', form('bob'));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ user: { ...USER, email: 'bob@example.com', name: 'bob', role: 'USER' } });
    expect(response.headers.get('authorization')).toMatch(/^Bearer \S+\.\S+\.\S+$/);
    expect(response.headers.get('set-cookie')).toMatch(/^refreshToken=\S+; Path=\/; HttpOnly; SameSite=Strict/);
  });

  it('answers a taken e-mail address with a general error', async () => {
    const response = await post('/api/auth/register', form('alice'));
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: 'The account could not be created.' });
  });

  it('names every field of a bad form and its error', async () => {
    const response = await post('/api/auth/register', form('carol', { email: 'carol', password: 'short', name: 'c' }));
    expect(response.status).toBe(422);
    const { message } = (await response.json()) as { message: string };
    expect(message).toContain('name: Name must be at least 3 characters');
    expect(message).toContain('email: ');
    expect(message).toContain('password: Password must be at least 8 characters');
  });

  it('can be closed', async () => {
    const closed = await startTestServer({ env: { ALLOW_REGISTRATION: 'false' } });
    const response = await send(closed.url, 'POST', '/api/auth/register', form('dave'));
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toBe('Registration is not allowed.');
    await closed.close();
  });
});

describe('signing in', () => {
  it('returns token and user', async () => {
    const response = await login();
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ token: expect.stringMatching(/^\S+\.\S+\.\S+$/), user: USER });
    expect(cookieOf(response)).toMatch(/^refreshToken=./);
  });

  it('can be closed, for right and wrong passwords alike', async () => {
    const closed = await startTestServer({ env: { ALLOW_EMAIL_LOGIN: 'false' } });
    expect((await send(closed.url, 'POST', '/api/auth/register', form('alice'))).status).toBe(200);
    for (const password of [form('alice').password, 'wrong words']) {
      const body = { email: 'alice@example.com', password };
      const response = await send(closed.url, 'POST', '/api/auth/login', body);
      expect(response.status).toBe(403);
      expect(await response.json()).toEqual({ message: 'Sign-in by e-mail is not allowed.' });
      expect(response.headers.get('set-cookie')).toBeNull();
    }
    await closed.close();
  });

  it('answers an unknown e-mail address and a wrong password alike', async () => {
    const [unknown, wrong] = await Promise.all([
      login('nobody@example.com'),
      login('alice@example.com', 'wrong words'),
    ]);
    expect([unknown?.status, wrong?.status]).toEqual([422, 422]);
    const answers = [await unknown?.json(), await wrong?.json()];
    expect(answers[0]).toEqual({ message: expect.any(String) });
    expect(answers[1]).toEqual(answers[0]);
  });

  it('names every field of a bad form and its error', async () => {
    const response = await post('/api/auth/login', { email: 'x' });
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      message: 'email: You must enter a valid email address password: Password is required',
    });
  });

  it('is forbidden to a banned user', async () => {
    await post('/api/auth/register', form('mallory'));
    const bannedUntil = new Date(Date.now() + 60_000).toISOString();
    const [row] = await server.db.sql`
      update users set banned_until = ${bannedUntil} where email = 'mallory@example.com' returning id`;
    expect(row).toBeDefined();
    const response = await login('mallory@example.com');
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ message: expect.stringContaining('temporarily banned') });
  });

  it('gives a ticket and no session to an account with a second factor', async () => {
    await post('/api/auth/register', form('trent'));
    await server.db.sql`
      insert into factors (user_id, kind, encrypted, confirmed_at)
      select id, 'totp', 'x', now() from users where email = 'trent@example.com'`;
    const response = await login('trent@example.com');
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await response.json()).toEqual({ twoFAPending: true, tempToken: expect.any(String) });
  });

  it('too often reports when to retry', async () => {
    const strict = await startTestServer({ env: { LOGIN_MAX: '1' } });
    const body = { email: 'x@example.com', password: 'nine green bottles' };
    await send(strict.url, 'POST', '/api/auth/login', body);
    const response = await send(strict.url, 'POST', '/api/auth/login', body);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toEqual({ message: expect.stringContaining('Too many attempts') });
    await strict.close();
  });

  it('accepts a urlencoded form', async () => {
    const body = new URLSearchParams({ email: 'alice@example.com', password: PASSWORD });
    const response = await fetch(`${server.url}/api/auth/login`, { method: 'POST', body });
    expect(response.status).toBe(200);
  });

  it.each(['https://evil.example', 'http://localhost.evil.example', 'null'])(
    'from a page of another site is forbidden: %s',
    async (origin) => {
      const body = { email: 'alice@example.com', password: PASSWORD };
      expect((await post('/api/auth/login', body, { origin })).status).toBe(403);
    },
  );

  it('works for a client whose proxy names another host, by what its browser says', async () => {
    const body = { email: 'alice@example.com', password: PASSWORD };
    const headers = { origin: 'https://client.example', 'sec-fetch-site': 'same-origin' };
    expect((await post('/api/auth/login', body, headers)).status).toBe(200);
    expect((await post('/api/auth/login', body, { ...headers, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it.each(['http://localhost:3090', 'http://127.0.0.1:5173', 'http://[::1]:8080'])(
    'and refreshing work for a client that another port of this machine serves: %s',
    async (origin) => {
      const body = { email: 'alice@example.com', password: PASSWORD };
      const response = await post('/api/auth/login', body, { origin });
      expect(response.status).toBe(200);
      const cookie = cookieOf(response);
      expect((await post('/api/auth/refresh', undefined, { origin, cookie })).status).toBe(200);
    },
  );
});

describe('refreshing', () => {
  it('returns a token and the next cookie', async () => {
    const cookie = cookieOf(await login());
    const response = await post('/api/auth/refresh', undefined, { cookie });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ token: expect.any(String), user: USER });
    expect(cookieOf(response)).not.toBe(cookie);
  });

  it('is a response without a token when there is no cookie', async () => {
    const response = await post('/api/auth/refresh');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toBe('Refresh token not provided');
  });

  it.each([
    ['/api/auth/refresh', 401],
    ['/api/auth/refresh?retry=true', 403],
  ])('%s with an ended session has status %i', async (path, status) => {
    const response = await post(path, undefined, { cookie: 'refreshToken=gone' });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('text/plain');
  });

  it.each([
    ['/api/auth/refresh', 401],
    ['/api/auth/refresh?retry=true', 403],
  ])('%s with a session ended by a ban has status %i', async (path, status) => {
    const name = `banned-${status}`;
    const cookie = cookieOf(await post('/api/auth/register', form(name)));
    const [row] = await server.db.sql`
      update users set banned_until = now() + interval '1 hour' where email = ${`${name}@example.com`} returning id`;
    await server.db.sql`update sessions set expires_at = now() where user_id = ${row?.id ?? ''}`;
    const response = await post(path, undefined, { cookie });
    expect(response.status).toBe(status);
    expect(await response.text()).toBe('The session was not found');
  });
});

describe('signing out', () => {
  it('ends the session and clears the cookie', async () => {
    const signedIn = await login();
    const cookie = cookieOf(signedIn);
    const { token } = (await signedIn.json()) as { token: string };
    const headers = { cookie, authorization: `Bearer ${token}` };
    const response = await post('/api/auth/logout', undefined, headers);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ message: expect.any(String) });
    expect(cookieOf(response)).toBe('refreshToken=');
    expect((await post('/api/auth/refresh', undefined, { cookie })).status).toBe(401);
    expect((await send(server.url, 'GET', '/api/user', undefined, headers)).status).toBe(401);
  });
});

describe('the user', () => {
  it('has the same shape on every path', async () => {
    expect(await alice.json('/api/user')).toEqual(USER);
  });

  it('changes the own name and user name', async () => {
    const put = (path: string, body: object) => send(server.url, 'PUT', path, body, alice.headers);
    const response = await put('/api/user', { name: 'Alice Li', username: 'alice.li', role: 'ADMIN', id: 'x' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ...USER, name: 'Alice Li', username: 'alice.li' });
    expect((await put('/api/user', { name: 'Al' })).status).toBe(422);
    await put('/api/user', { name: 'alice', username: '' });
    expect(await alice.json('/api/user')).toEqual(USER);
  });

  it('never includes a password hash', async () => {
    const [row] = await server.db.query.select().from(users);
    expect(row?.passwordHash).toMatch(/^\$argon2id/);
    expect(await (await alice.get('/api/user')).text()).not.toContain('argon2');
  });
});
