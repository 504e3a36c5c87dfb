// What is read in the descriptions of people that other sites give.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFakeIdentity } from '@parley/scripts/fake-identity';
import { requestSite, OAuthHttpError } from '@parley/server/auth/oauth/oauth-http';
import { groupsIn, hasRole, claimsProfile } from '@parley/server/auth/oauth/claims';
import { personOfDiscord } from '@parley/server/auth/oauth/sites/discord';
import { personOfFacebook } from '@parley/server/auth/oauth/sites/facebook';
import { personOfGitHub } from '@parley/server/auth/oauth/sites/github';
import { profileName, profileUsername } from '@parley/server/auth/oauth/profile';
import { createOAuthFlow } from '@parley/server/auth/oauth/flow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { createAccounts } from './browser.ts';
import { locationOf } from './oauth-browser.ts';

describe('the claims of a token', () => {
  it('give the name of a person', () => {
    const claims = {
      sub: '1',
      email: 'a@b.co',
      email_verified: true,
      name: 'A',
      preferred_username: 'a',
      picture: 'p',
    };
    expect(claimsProfile(claims)).toEqual({
      subject: '1',
      email: 'a@b.co',
      emailVerified: true,
      name: 'A',
      username: 'a',
      imageURL: 'p',
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
  ])('with email_verified %j verify the address: %s', (email_verified, isProven) => {
    expect(claimsProfile({ sub: '1', email: 'a@b.co', email_verified })?.emailVerified).toBe(isProven);
  });

  it('are ignored when their types are wrong, and a subject is required', () => {
    expect(claimsProfile({ sub: '1', email: 7, name: {}, picture: '' })).toMatchObject({
      email: null,
      name: null,
      imageURL: null,
    });
    for (const sub of [undefined, '', 7, null]) expect(claimsProfile({ sub, email: 'a@b.co' })).toBeUndefined();
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
    expect(hasRole({ ...claims }, { roles: ['head', 'staff'], path })).toBe(isThere);
  });
});

describe('groups', () => {
  it.each<[string, object, string[] | undefined]>([
    ['groups', { groups: ['/Staff', 'staff', ' Readers\u0000 ', '', 7, 'x'.repeat(81)] }, ['staff', 'Readers']],
    ['groups', { groups: 'staff' }, ['staff']],
    ['resource.parley.groups', { resource: { parley: { groups: ['a/b'] } } }, ['a/b']],
    ['groups', {}, []],
    ['groups', { groups: null }, []],
    ['groups', { _claim_names: { groups: 'src1' }, _claim_sources: {} }, undefined],
  ])('at %s of %j: %j', (path, claims, names) => {
    expect(groupsIn({ ...claims }, { path, only: undefined })).toEqual(names);
  });

  it('may be only some', () => {
    const groups = ['parley-a', 'parley', 'staff', 'other'];
    expect(groupsIn({ groups }, { path: 'groups', only: ['parley-*', 'staff'] })).toEqual(['parley-a', 'staff']);
  });
});

describe('GitHub', () => {
  const user = { id: 7, login: 'alice', name: null, avatar_url: 'https://x/1.png', email: 'public@example.com' };
  const primary = { email: 'a@b.co', primary: true, verified: true };

  it('verifies the primary address', () => {
    expect(personOfGitHub(user, [{ ...primary, email: 'x@y.co', primary: false }, primary])).toEqual({
      subject: '7',
      email: 'a@b.co',
      emailVerified: true,
      name: 'alice',
      username: 'alice',
      imageURL: 'https://x/1.png',
    });
  });

  it('does not verify an address that it has not checked, nor the public one', () => {
    expect(personOfGitHub(user, [{ ...primary, verified: false }])).toMatchObject({ emailVerified: false });
    expect(personOfGitHub(user, [])).toMatchObject({ email: null, emailVerified: false });
  });

  it('gives no profile after an unexpected response', () => {
    expect(personOfGitHub({ message: 'Not Found' }, [])).toBeUndefined();
    expect(personOfGitHub(user, { message: 'Not Found' })).toBeUndefined();
  });
});

it('Discord reports whether an address is verified', () => {
  const user = { id: '7', username: 'alice', email: 'a@b.co', avatar: 'f00' };
  expect(personOfDiscord({ ...user, verified: true })).toEqual({
    subject: '7',
    email: 'a@b.co',
    emailVerified: true,
    name: 'alice',
    username: 'alice',
    imageURL: 'https://cdn.discordapp.com/avatars/7/f00.png',
  });
  expect(personOfDiscord(user)).toMatchObject({ emailVerified: false });
});

it('Facebook verifies no address', () => {
  const user = { id: '7', name: 'Alice', email: 'a@b.co', verified: true, picture: { data: { url: 'https://x/1' } } };
  expect(personOfFacebook(user)).toMatchObject({ email: 'a@b.co', emailVerified: false, imageURL: 'https://x/1' });
});

describe('the name of a new user', () => {
  it.each([
    ['  Alice \n Example ', 'Alice Example'],
    ['Al', 'alice'],
    [null, 'alice'],
    ['\u0000Al\u0000ice', 'Alice'],
  ])('for %j is %j', (name, kept) => {
    expect(profileName({ name }, 'alice@example.com')).toBe(kept);
  });

  it('is the whole address when its first part is too short', () => {
    expect(profileName({ name: null }, 'al@example.com')).toBe('al@example.com');
  });

  it.each([
    ['Alice-1', 'alice-1'],
    ['a b', 'ab'],
    ['!', null],
    [null, null],
  ])('as a user name %j becomes %j', (username, kept) => {
    expect(profileUsername({ username })).toBe(kept);
  });
});

describe('a call to a site', () => {
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
    ['/silent', 'unreachable', 300],
    ['/slow', 'unreachable', 300],
    ['/long', 'failed', 60_000],
    ['/moved', 'unreachable', 60_000],
  ])('with %s ends', async (path, why, timeoutMs) => {
    const error: unknown = await requestSite(url + path, {}, timeoutMs).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(OAuthHttpError);
    expect(error).toMatchObject({ why });
  });
});

it('the log names the site and the fault of a sign-in, and no address, code or token', async () => {
  const identity = await startFakeIdentity();
  const database = await createTestDatabase();
  const { deps, lines } = await createAccounts(database.db, identity.env);
  const google = deps.config.accounts.sites.find(({ name }) => name === 'google');
  if (!google) throw new Error('Google is not configured');
  const travel = createOAuthFlow(deps, google);
  const cookies: string[] = [];
  const headers = () => new Headers({ cookie: cookies.at(-1)?.split(';')[0] ?? '' });
  const http = () => ({
    ip: '203.0.113.5',
    secure: false,
    headers: headers(),
    setHeader: (_name: string, value: string) => void cookies.push(value),
  });
  const away = new URL(await travel.authorizeUrl(http()));
  away.searchParams.set('as', 'alice');
  const back = locationOf(await fetch(away, { redirect: 'manual' }));
  const leaving = http();
  await travel.handleCallback(leaving, back.searchParams);
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.map(({ audit, provider }) => [audit, provider])).toEqual([
    ['registered', 'google'],
    ['signed_in', 'google'],
  ]);
  const text = lines.join('');
  for (const secret of ['@', back.searchParams.get('code') ?? '', back.searchParams.get('state') ?? ''])
    expect(text).not.toContain(secret);
  await deps.socialAvatars.close();
  await database.drop();
  await identity.close();
});
