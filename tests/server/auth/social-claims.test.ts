// What is read in the descriptions of people that other sites give.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFakeIdentity } from '@parley/scripts/fake-identity';
import { call, ProviderFault } from '@parley/server/auth/social/call';
import { hasRole, personOf } from '@parley/server/auth/social/claims';
import { personOfDiscord } from '@parley/server/auth/social/discord';
import { personOfFacebook } from '@parley/server/auth/social/facebook';
import { personOfGitHub } from '@parley/server/auth/social/github';
import { nameOf, usernameOf } from '@parley/server/auth/social/profile';
import { createTravel } from '@parley/server/auth/social/travel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { createAccounts } from './browser.ts';
import { locationOf } from './traveller.ts';

describe('the claims of a token', () => {
  it('name a person', () => {
    const claims = {
      sub: '1',
      email: 'a@b.co',
      email_verified: true,
      name: 'A',
      preferred_username: 'a',
      picture: 'p',
    };
    expect(personOf(claims)).toEqual({
      subject: '1',
      email: 'a@b.co',
      emailVerified: true,
      name: 'A',
      username: 'a',
      picture: 'p',
    });
  });

  it.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    ['yes', false],
    [1, false],
    [undefined, false],
  ])('with email_verified %j prove the address: %s', (email_verified, isProven) => {
    expect(personOf({ sub: '1', email: 'a@b.co', email_verified })?.emailVerified).toBe(isProven);
  });

  it('that are odd are none, and nobody is named without a subject', () => {
    expect(personOf({ sub: '1', email: 7, name: {}, picture: '' })).toMatchObject({
      email: null,
      name: null,
      picture: null,
    });
    for (const sub of [undefined, '', 7, null]) expect(personOf({ sub, email: 'a@b.co' })).toBeUndefined();
  });
});

describe('a role', () => {
  it.each<[string, object, boolean]>([
    ['roles', { roles: ['reader', 'staff'] }, true],
    ['roles', { roles: 'staff' }, true],
    ['roles', { roles: 'not staff' }, false],
    ['roles', { roles: ['staffer'] }, false],
    ['realm_access.roles', { realm_access: { roles: ['staff'] } }, true],
    ['realm_access.roles', { realm_access: null }, false],
    ['realm_access.roles', {}, false],
    ['https://example.com/roles', { 'https://example.com/roles': ['staff'] }, true],
    ['https://example.com/app.roles', { 'https://example.com/app': { roles: ['staff'] } }, true],
    ['constructor.name', {}, false],
  ])('at %s of %j: %s', (path, claims, isThere) => {
    expect(hasRole({ ...claims }, { role: 'staff', path })).toBe(isThere);
  });
});

describe('GitHub', () => {
  const user = { id: 7, login: 'alice', name: null, avatar_url: 'https://x/1.png', email: 'public@example.com' };
  const primary = { email: 'a@b.co', primary: true, verified: true };

  it('proves the primary address', () => {
    expect(personOfGitHub(user, [{ ...primary, email: 'x@y.co', primary: false }, primary])).toEqual({
      subject: '7',
      email: 'a@b.co',
      emailVerified: true,
      name: 'alice',
      username: 'alice',
      picture: 'https://x/1.png',
    });
  });

  it('does not prove one that it has not checked, and the public one is nobody’s', () => {
    expect(personOfGitHub(user, [{ ...primary, verified: false }])).toMatchObject({ emailVerified: false });
    expect(personOfGitHub(user, [])).toMatchObject({ email: null, emailVerified: false });
  });

  it('that answers something else describes nobody', () => {
    expect(personOfGitHub({ message: 'Not Found' }, [])).toBeUndefined();
    expect(personOfGitHub(user, { message: 'Not Found' })).toBeUndefined();
  });
});

it('Discord says itself whether an address is proven', () => {
  const user = { id: '7', username: 'alice', email: 'a@b.co', avatar: 'f00' };
  expect(personOfDiscord({ ...user, verified: true })).toEqual({
    subject: '7',
    email: 'a@b.co',
    emailVerified: true,
    name: 'alice',
    username: 'alice',
    picture: 'https://cdn.discordapp.com/avatars/7/f00.png',
  });
  expect(personOfDiscord(user)).toMatchObject({ emailVerified: false });
});

it('Facebook proves no address', () => {
  const user = { id: '7', name: 'Alice', email: 'a@b.co', verified: true, picture: { data: { url: 'https://x/1' } } };
  expect(personOfFacebook(user)).toMatchObject({ email: 'a@b.co', emailVerified: false, picture: 'https://x/1' });
});

describe('a name', () => {
  it.each([
    ['  Alice \n Example ', 'Alice Example'],
    ['Al', 'alice'],
    [null, 'alice'],
    ['\u0000Al\u0000ice', 'Alice'],
  ])('%j is %j here', (name, kept) => {
    expect(nameOf({ name }, 'alice@example.com')).toBe(kept);
  });

  it('is the whole address where its beginning is too short', () => {
    expect(nameOf({ name: null }, 'al@example.com')).toBe('al@example.com');
  });

  it.each([
    ['Alice-1', 'alice-1'],
    ['a b', 'ab'],
    ['!', null],
    [null, null],
  ])('of a user, %j, is %j here', (username, kept) => {
    expect(usernameOf({ username })).toBe(kept);
  });
});

describe('a call', () => {
  let site: Server;
  let url: string;

  beforeAll(async () => {
    site = createServer((request, response) => {
      if (request.url === '/silent') return;
      if (request.url === '/moved') return void response.writeHead(302, { location: '/long' }).end();
      response.write('x'.repeat(request.url === '/long' ? 300 * 1024 : 10));
      if (request.url !== '/slow') response.end();
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
  });

  it.each([
    ['/silent', 'unreachable'],
    ['/slow', 'unreachable'],
    ['/long', 'failed'],
    ['/moved', 'unreachable'],
  ])('of %s ends', async (path, why) => {
    const error: unknown = await call(url + path, {}, 300).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(ProviderFault);
    expect(error).toMatchObject({ why });
  });
});

it('the log tells who signed in by what and what went wrong, and no address, code or token', async () => {
  const identity = await startFakeIdentity();
  const database = await createTestDatabase();
  const { deps, lines } = await createAccounts(database.db, identity.env);
  const travel = createTravel(deps, 'google');
  const cookies: string[] = [];
  const headers = () => new Headers({ cookie: cookies.at(-1)?.split(';')[0] ?? '' });
  const http = () => ({
    ip: '203.0.113.5',
    secure: false,
    headers: headers(),
    setHeader: (_name: string, value: string) => void cookies.push(value),
  });
  const away = new URL(await travel.setOut(http()));
  away.searchParams.set('as', 'alice');
  const back = locationOf(await fetch(away, { redirect: 'manual' }));
  const leaving = http();
  await travel.comeBack(leaving, back.searchParams);
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.map(({ audit, provider }) => [audit, provider])).toEqual([
    ['registered', 'google'],
    ['signed_in', 'google'],
  ]);
  const text = lines.join('');
  for (const secret of ['@', back.searchParams.get('code') ?? '', back.searchParams.get('state') ?? ''])
    expect(text).not.toContain(secret);
  await database.drop();
  await identity.close();
});
