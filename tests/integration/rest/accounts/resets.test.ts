import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkIn, startMailServer, type MailServer } from '../../../support/accounts/mail-server.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { PASSWORD, send, signUp } from '../../../support/rest/client.ts';

const NEW = 'ten green bottles';
/** Minutes: no window ends while the tests count. */
const MONTH = '44640';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    env: { ALLOW_RESET_LINK: 'true', REGISTER_MAX: '50', RESET_MAX: '50', RESET_WINDOW: MONTH },
  });
});
afterAll(() => server.close());

const request = (email?: string, headers?: HeadersInit) =>
  send(server.url, 'POST', '/api/auth/requestPasswordReset', { email }, headers);
const reset = (body: object) => send(server.url, 'POST', '/api/auth/resetPassword', body);
const login = (name: string, password: string) =>
  send(server.url, 'POST', '/api/auth/login', { email: `${name}@example.com`, password });

async function linkFor(name: string): Promise<string> {
  const { link } = (await (await request(`${name}@example.com`)).json()) as { link: string };
  return link;
}

function claimOf(link: string) {
  const { searchParams } = new URL(link);
  return { token: searchParams.get('token') ?? '', userId: searchParams.get('userId') ?? '' };
}

describe('asking for a reset link', () => {
  it('returns it when the operator allows that', async () => {
    const alice = await signUp(server.url, 'alice');
    const response = await request('alice@example.com');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      link: expect.stringMatching(
        new RegExp(`^http://localhost:\\d+/reset-password\\?token=[\\da-f]{64}&userId=${alice.id}$`),
      ),
    });
  });

  it('is refused with an empty body for an unknown e-mail address', async () => {
    const response = await request('nobody@example.com');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({});
  });

  it('gets the same response for everybody when the operator does not allow it', async () => {
    const closed = await startTestServer();
    await signUp(closed.url, 'alice');
    for (const headers of [undefined, { 'x-forwarded-for': '203.0.113.5' }])
      for (const email of ['alice@example.com', 'nobody@example.com']) {
        const response = await send(closed.url, 'POST', '/api/auth/requestPasswordReset', { email }, headers);
        expect(response.status).toBe(200);
        expect(await response.json()).toEqual({ link: '' });
      }
    await closed.close();
  });

  it('names the field of a bad form and its error', async () => {
    const response = await request('alice');
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({ message: 'email: You must enter a valid email address' });
  });

  it('too often reports when to retry', async () => {
    for (let n = 0; n < 3; n++) await request('often@example.com');
    const response = await request('often@example.com');
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toEqual({ message: expect.stringContaining('Too many attempts') });
  });
});

describe('using a reset link', () => {
  it('sets another password, with or without the confirmation field', async () => {
    await signUp(server.url, 'bob');
    for (const more of [{}, { confirm_password: NEW }]) {
      const response = await reset({ ...claimOf(await linkFor('bob')), password: NEW, ...more });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ message: expect.any(String) });
      expect(response.headers.get('set-cookie')).toBeNull();
    }
    expect((await login('bob', PASSWORD)).status).toBe(422);
    expect((await login('bob', NEW)).status).toBe(200);
  });

  it('is refused with an empty body when the link is invalid', async () => {
    const carol = await signUp(server.url, 'carol');
    const claim = claimOf(await linkFor('carol'));
    await reset({ ...claim, password: NEW });
    for (const used of [claim, { token: 'x', userId: carol.id }, { ...claim, userId: 'carol' }]) {
      const response = await reset({ ...used, password: NEW });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({});
    }
  });

  it('names every field of a bad form and its error', async () => {
    const response = await reset({ password: 'short' });
    expect(response.status).toBe(422);
    const { message } = (await response.json()) as { message: string };
    expect(message).toContain('password: Password must be at least 8 characters');
    expect(message).toContain('token: Unable to process: No valid reset token');
    expect(message).toContain('userId: Unable to process: No valid user id');
  });
});

describe('with a mail server', () => {
  let post: MailServer;
  let mailing: TestServer;

  beforeAll(async () => {
    post = await startMailServer();
    mailing = await startTestServer({ env: { ...post.env, EMAIL_ENCRYPTION: 'starttls' } });
  });
  afterAll(async () => {
    await mailing.close();
    await post.close();
  });

  it('the link goes out by mail, and the response is the same for unknown addresses', async () => {
    const dave = await signUp(mailing.url, 'dave');
    for (const email of ['dave@example.com', 'nobody@example.com']) {
      const response = await send(mailing.url, 'POST', '/api/auth/requestPasswordReset', { email });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ link: '' });
    }
    await expect.poll(() => post.letters.length).toBe(1);
    const [letter] = post.letters;
    const claim = claimOf(letter ? linkIn(letter) : '');
    expect(claim.userId).toBe(dave.id);
    await send(mailing.url, 'POST', '/api/auth/resetPassword', { ...claim, password: NEW });
    const again = await send(mailing.url, 'POST', '/api/auth/login', { email: 'dave@example.com', password: NEW });
    expect(await again.json()).toMatchObject({ user: { id: dave.id, emailVerified: true } });
    expect((await dave.get('/api/user')).status).toBe(401);
  });
});

it('reset links are closed when password sign-in is off', async () => {
  const closed = await startTestServer({ env: { ALLOW_EMAIL_LOGIN: 'false' } });
  const calls = [
    ['/api/auth/requestPasswordReset', { email: 'alice@example.com' }],
    ['/api/auth/resetPassword', { token: 'x', userId: 'y', password: NEW }],
  ] as const;
  for (const [path, body] of calls) {
    const response = await send(closed.url, 'POST', path, body);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ message: 'Sign-in by e-mail is not allowed.' });
  }
  await closed.close();
});
