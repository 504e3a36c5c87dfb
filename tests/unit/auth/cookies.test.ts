import {
  assertOwnSite,
  clearRefreshCookie,
  readRefreshToken,
  setRefreshCookie,
} from '@parley/server/platform/requests/cookies';
import { expect, test } from 'vitest';

const PLAIN = 'http://localhost:3080';
const HTTPS = 'https://chat.example.com';
const end = new Date('2030-01-01T12:00:00Z');

test('the cookie is HttpOnly and SameSite', () => {
  expect(written({ secure: false }, PLAIN)).toBe(
    'refreshToken=abc; Path=/; HttpOnly; SameSite=Strict; Expires=Tue, 01 Jan 2030 12:00:00 GMT',
  );
});

test('the cookie is Secure when the site or the request is', () => {
  expect(written({ secure: false }, HTTPS)).toMatch(/; Secure$/);
  expect(written({ secure: true }, PLAIN)).toMatch(/; Secure$/);
  expect(written({ secure: false }, PLAIN)).not.toMatch(/Secure/);
});

test("the cookie's name has the prefix that keeps other hosts from setting it over https", () => {
  expect(written({ secure: false }, HTTPS)).toMatch(/^__Host-refreshToken=abc; Path=\/;/);
  expect(written({ secure: true }, PLAIN)).toMatch(/^__Host-refreshToken=abc; Path=\/;/);
  expect(written({ secure: true }, HTTPS)).not.toMatch(/Domain/);
});

test('clearing over https removes the cookie of earlier versions, too', () => {
  const lines: string[] = [];
  clearRefreshCookie({ secure: true, setHeader: (_, value) => lines.push(value) }, HTTPS);
  expect(lines.map((line) => line.split(';')[0])).toEqual(['__Host-refreshToken=', 'refreshToken=']);
  for (const line of lines) expect(line).toContain('Expires=Thu, 01 Jan 1970 00:00:00 GMT; Secure');
});

test('clearing removes the value and the expiry', () => {
  const lines: string[] = [];
  clearRefreshCookie({ secure: false, setHeader: (_, value) => lines.push(value) }, PLAIN);
  expect(lines).toEqual(['refreshToken=; Path=/; HttpOnly; SameSite=Strict; Expires=Thu, 01 Jan 1970 00:00:00 GMT']);
});

test.each([
  ['refreshToken=abc', 'abc'],
  ['theme=dark; refreshToken=abc; lang=ko', 'abc'],
  ['theme=dark;refreshToken=abc', 'abc'],
  ['__Host-refreshToken=abc', 'abc'],
  ['refreshToken=planted; __Host-refreshToken=abc', 'abc'],
  ['__Host-refreshToken=; refreshToken=abc', 'abc'],
  ['refreshToken=', undefined],
  ['xrefreshToken=abc', undefined],
  ['refreshToken', undefined],
  ['', undefined],
])('the token in %j is %j', (cookie, token) => {
  expect(readRefreshToken(new Headers({ cookie }))).toBe(token);
});

test('a request without cookies has no token', () => {
  expect(readRefreshToken(new Headers())).toBeUndefined();
});

test.each([
  ['no Origin', {}],
  ['the origin of the host asked', { origin: 'http://192.0.2.1:3080', host: '192.0.2.1:3080' }],
  ['the origin of the site behind a proxy', { origin: HTTPS, host: 'app:3080' }],
  [
    'a page of the origin that it asks, behind a proxy that names another host',
    { origin: 'https://client.example', host: 'app:3080', 'sec-fetch-site': 'same-origin' },
  ],
  ['our header', { origin: 'https://elsewhere.example', 'x-app': '1' }],
])('%s is allowed', (_, headers) => {
  expect(() => assertOwnSite(new Headers(headers), HTTPS)).not.toThrow();
});

test.each([
  ['https://elsewhere.example'],
  ['https://chat.example.com.elsewhere.example'],
  ['http://chat.example.com'],
  ['https://chat.example.com:8443'],
  ['null'],
  [''],
])('the origin %j is refused', (origin) => {
  const headers = new Headers({ origin, host: 'app:3080' });
  expect(() => assertOwnSite(headers, HTTPS)).toThrow(expect.objectContaining({ reason: { type: 'forbidden' } }));
});

test.each(['same-site', 'cross-site', 'none', ''])('a page that is %j to what it asks is refused', (site) => {
  const headers = new Headers({ origin: 'https://client.example', host: 'app:3080', 'sec-fetch-site': site });
  expect(() => assertOwnSite(headers, HTTPS)).toThrow();
});

const OTHER_PORT = 'http://localhost:3090';

test('the origin of another port of this machine is allowed where the site is on it', () => {
  for (const host of ['localhost:3080', '127.0.0.1:3080', '[::1]:3080'])
    expect(() => assertOwnSite(new Headers({ origin: OTHER_PORT, host }), PLAIN)).not.toThrow();
});

test.each([
  ['the request came from elsewhere', { host: '192.0.2.1:3080' }, PLAIN],
  ['the site is elsewhere', { host: 'localhost:3080' }, HTTPS],
  ['the request names no host', {}, PLAIN],
])('the origin of another port of this machine is refused where %s', (_, headers, site) => {
  expect(() => assertOwnSite(new Headers({ origin: OTHER_PORT, ...headers }), site)).toThrow();
});

function written(request: { secure: boolean }, domainClient: string) {
  const lines: string[] = [];
  setRefreshCookie({ ...request, setHeader: (_, value) => lines.push(value) }, domainClient, 'abc', end);
  return lines.join();
}
