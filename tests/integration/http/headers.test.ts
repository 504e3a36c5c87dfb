// What every answer contains beside its body, and what of a request's head is believed.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, send, signUp } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let behindProxy: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  behindProxy = await startTestServer({ env: { TRUST_PROXY: '1' } });
});
afterAll(() => Promise.all([server.close(), behindProxy.close()]));

describe('a JSON response', () => {
  it.each(['/api/config', '/trpc/endpoints.startup', '/api/user', '/trpc/auth.me'])(
    'is not cacheable: %s',
    async (path) => {
      const alice = await signUp(server.url, `alice${path.replaceAll(/\W/g, '')}`);
      expect((await alice.get(path)).headers.get('cache-control')).toBe('no-store');
    },
  );

  it('is not cacheable when it is a refusal', async () => {
    const response = await send(server.url, 'POST', '/api/auth/login', {
      email: 'nobody@example.com',
      password: PASSWORD,
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});

describe('a page', () => {
  it('connects to its own host only', async () => {
    const { host } = new URL(server.url);
    const policy = (await fetch(server.url)).headers.get('content-security-policy') ?? '';
    const sources =
      policy
        .split('; ')
        .find((rule) => rule.startsWith('connect-src '))
        ?.split(' ') ?? [];
    expect(sources).toContain(`ws://${host}`);
    expect(sources).toContain(`wss://${host}`);
    expect(sources).not.toContain('ws:');
    expect(sources).not.toContain('wss:');
  });

  it.each(['/%00', '/x%00.html', '/assets/%00', '/locales/..%00/x', '/%E0%A4%A'])('at %s is served', async (path) => {
    expect((await fetch(server.url + path)).status).toBeLessThan(500);
  });
});

describe('the session cookie', () => {
  const cookieOf = async ({ url }: TestServer, name: string, forwarded: string) => {
    const form = { name, email: `${name}@example.com`, password: PASSWORD, confirm_password: PASSWORD };
    const response = await send(url, 'POST', '/api/auth/register', form, { 'x-forwarded-proto': forwarded });
    return response.headers.getSetCookie().find((cookie) => /^(?:__Host-)?refreshToken=/.test(cookie));
  };

  it('is not Secure because a client claims https', async () => {
    expect(await cookieOf(server, 'mallory', 'https')).not.toContain('Secure');
  });

  it('is Secure when a trusted proxy says so', async () => {
    expect(await cookieOf(behindProxy, 'carol', 'https')).toMatch(/^__Host-refreshToken=.*; Secure$/);
    expect(await cookieOf(behindProxy, 'dave', 'https, http')).not.toContain('Secure');
  });
});

it('a probe by HTTP/1.0, which names no host, is answered', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /health HTTP/1.0\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nOK$/);
});
