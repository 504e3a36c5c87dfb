// Signing in by other sites, over HTTP, against sites that are as strict as the real ones.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SignInSite } from '@parley/schema/catalog/sign-in-sites';
import { files } from '@parley/db/tables/files';
import { factors, identities, users } from '@parley/db/tables/users';
import { userKeys } from '@parley/db/tables/user-keys';
import { startFakeIdentity, type FakeIdentity, type AccountFault } from '@parley/scripts/fake-identity';
import { createInvitation } from '@parley/server/auth/registration/invitations';
import { presentUser } from '@parley/server/auth/users';
import { removeAvatar } from '@parley/server/files/avatar';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { authenticatorCode } from '../../support/accounts/authenticator-app.ts';
import { PASSWORD, send } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { createOAuthBrowser, locationOf } from './oauth-browser.ts';

const SITES: SignInSite[] = ['google', 'facebook', 'github', 'discord', 'openid'];
const HOME = 'http://parley.test';
const APP = `${HOME}/`;
const OPEN = { DOMAIN_SERVER: HOME, LOGIN_MAX: '1000', REGISTER_MAX: '1000' };

let identity: FakeIdentity;
let server: TestServer;

beforeAll(async () => {
  identity = await startFakeIdentity();
  server = await startTestServer({ env: { ...OPEN, ...identity.env } });
});
afterAll(async () => {
  await server?.close();
  await identity?.close();
});
beforeEach(async () => {
  await server.db.query.delete(users);
  Object.assign(identity.openid, {
    isDown: false,
    auth: ['basic', 'post'],
    issuer: null,
    accessToken: 'jwt',
    tokenFields: {},
  });
});

const newBrowser = () => createOAuthBrowser(server.url);
const refusedBy = (why: string) => `${HOME}/login?error=social_login&why=${why}`;

/** A server with settings of its own, for one test. */
async function withServer(env: Record<string, string>, test: (server: TestServer) => Promise<void>, yaml?: string) {
  const own = await startTestServer({ env: { ...OPEN, ...identity.env, ...env }, ...(yaml && { yaml }) });
  await test(own).finally(() => own.close());
}

function register(email: string, at = server) {
  const form = { name: 'Somebody', email, password: PASSWORD, confirm_password: PASSWORD };
  return send(at.url, 'POST', '/api/auth/register', form);
}

async function rowOf(email: string) {
  const [row] = await server.db.query.select().from(users).where(eq(users.email, email));
  return row;
}

/** Somebody new at the sites, so that no other test knows them. */
function introduce(name: string, over: object = {}) {
  const id = String(2000 + [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 0));
  identity.introduce(name, { id, name, login: name, email: `${name}@example.com`, verified: true, ...over });
}

describe.each(SITES)('%s', (site) => {
  it('creates a user on the first sign-in and finds the same one later', async () => {
    const first = newBrowser();
    expect(await first.signIn(site, 'alice')).toBe(APP);
    const user = await first.user();
    expect(user).toMatchObject({
      provider: site,
      email: 'alice@example.com',
      name: 'Alice Example',
      username: site === 'facebook' ? null : 'alice',
      role: expect.stringMatching(/ADMIN|USER/),
      emailVerified: site !== 'facebook',
    });
    expect(first.cookies.has('oauth-state')).toBe(false);

    const second = newBrowser();
    expect(await second.signIn(site, 'alice')).toBe(APP);
    expect((await second.user())?.id).toBe(user?.id);
    expect(second.cookies.get('refreshToken')).not.toBe(first.cookies.get('refreshToken'));
  });

  it('is begun by the link of clients that look for it below /api', async () => {
    const response = await newBrowser().visit(`/api/auth/${site}`);
    expect([response.status, response.headers.get('location')]).toEqual([302, `/oauth/${site}`]);
  });

  it('sends a person who declines back to the sign-in, and ends the flow', async () => {
    introduce('reluctant', { trouble: 'denies' });
    const browser = newBrowser();
    const back = await browser.leave(site, 'reluctant');
    const response = await browser.comeBack(back);
    expect(locationOf(response).href).toBe(refusedBy('cancelled'));
    expect(response.headers.get('set-cookie')).toContain('oauth-state=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
    expect(await browser.user()).toBeNull();
  });

  it('refuses a profile without an e-mail address', async () => {
    const browser = newBrowser();
    expect(await browser.signIn(site, 'carol')).toBe(refusedBy('no_email'));
    expect(await browser.user()).toBeNull();
  });

  it('receives the redirect address and the client id, and no secret', async () => {
    const away = locationOf(await newBrowser().visit(`/oauth/${site}`));
    expect(away.origin).toBe(identity.url);
    expect(away.searchParams.get('redirect_uri')).toBe(`${HOME}/oauth/${site}/callback`);
    expect(away.href).not.toContain('secret');
    expect(away.searchParams.has('nonce')).toBe(site === 'google' || site === 'openid');
  });

  it.each<[AccountFault, string]>([
    ['fails', 'unreachable'],
    ['page', 'failed'],
    ['huge', 'failed'],
  ])('refuses the sign-in when the token endpoint answers with "%s"', async (trouble, why) => {
    introduce('unlucky', { trouble });
    expect(await newBrowser().signIn(site, 'unlucky')).toBe(refusedBy(why));
  });

  it('never sends the code and the secret on to another host', async () => {
    introduce('moving', { trouble: 'moved' });
    expect(await newBrowser().signIn(site, 'moving')).toBe(refusedBy('unreachable'));
    expect(identity.calls).not.toContain(`${site} /elsewhere`);
  });

  it('refuses a code that was used before', async () => {
    const [browser, other] = [newBrowser(), newBrowser()];
    const back = await browser.leave(site, 'alice');
    const cookie = browser.cookies.get('oauth-state') ?? '';
    expect(locationOf(await browser.comeBack(back)).href).toBe(APP);
    other.cookies.set('oauth-state', cookie);
    expect(locationOf(await other.comeBack(back)).href).toBe(refusedBy('failed'));
  });
});

describe('the callback', () => {
  it('is refused without a state cookie', async () => {
    const back = await newBrowser().leave('github', 'alice');
    const stranger = newBrowser();
    expect(locationOf(await stranger.comeBack(back)).href).toBe(refusedBy('expired'));
    expect(await stranger.user()).toBeNull();
  });

  it('is refused with the state of another flow, and ends this one', async () => {
    const theirs = await newBrowser().leave('github', 'alice');
    const browser = newBrowser();
    const own = await browser.leave('github', 'alice');
    expect(locationOf(await browser.comeBack(theirs)).href).toBe(refusedBy('expired'));
    expect(locationOf(await browser.comeBack(own)).href).toBe(refusedBy('expired'));
  });

  it.each<SignInSite>(['google', 'github', 'discord', 'openid'])(
    'is refused with the code of another browser at %s',
    async (site) => {
      introduce('mallory');
      const code = (await newBrowser().leave(site, 'mallory')).searchParams.get('code') ?? '';
      const browser = newBrowser();
      const back = await browser.leave(site, 'alice');
      back.searchParams.set('code', code);
      expect(locationOf(await browser.comeBack(back)).href).toBe(refusedBy('failed'));
      expect(await browser.user()).toBeNull();
    },
  );

  it('is refused from another site than the flow began with', async () => {
    const browser = newBrowser();
    const back = await browser.leave('github', 'alice');
    back.pathname = '/oauth/discord/callback';
    expect(locationOf(await browser.comeBack(back)).href).toBe(refusedBy('expired'));
  });

  it('is refused with a forged cookie', async () => {
    const browser = newBrowser();
    const back = await browser.leave('github', 'alice');
    const [head, , signature] = (browser.cookies.get('oauth-state') ?? '').split('.');
    const claims = { provider: 'github', typ: 'oauth-state', aud: 'parley', state: 'mine', verifier: 'x', nonce: 'x' };
    const forged = Buffer.from(JSON.stringify({ ...claims, exp: 99999999999 })).toString('base64url');
    browser.cookies.set('oauth-state', `${head}.${forged}.${signature}`);
    back.searchParams.set('state', 'mine');
    expect(locationOf(await browser.comeBack(back)).href).toBe(refusedBy('expired'));
  });

  it('is refused without any parameters', async () => {
    const browser = newBrowser();
    await browser.leave('github', 'alice');
    const state = new URL(await browser.leave('github', 'alice')).searchParams.get('state');
    expect(locationOf(await browser.visit(`/oauth/github/callback?state=${state}`)).href).toBe(refusedBy('failed'));
    expect(locationOf(await browser.visit('/oauth/github/callback')).href).toBe(refusedBy('expired'));
  });

  it('always begins a new session', async () => {
    const browser = newBrowser();
    browser.cookies.set('refreshToken', 'planted');
    await browser.signIn('google', 'alice');
    expect(browser.cookies.get('refreshToken')).not.toBe('planted');
    expect(await browser.user()).not.toBeNull();
  });

  it('is never cached', async () => {
    const browser = newBrowser();
    const response = await browser.comeBack(await browser.leave('google', 'alice'));
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });
});

describe('an ID token', () => {
  it.each<AccountFault>([
    'wrong nonce',
    'no nonce',
    'wrong audience',
    'two audiences',
    'another party',
    'wrong issuer',
    'expired',
    'never expires',
    'alg none',
    'alg HS256',
    'alg HS256 by the public key',
    'forged',
    'own key',
    'mix-up',
  ])('with the fault "%s" is refused', async (trouble) => {
    introduce('troubled', { trouble });
    for (const site of ['google', 'openid'] as const)
      expect(await newBrowser().signIn(site, 'troubled')).toBe(refusedBy('failed'));
    expect(await rowOf('troubled@example.com')).toBeUndefined();
  });

  it('signed with a new key is accepted at once', async () => {
    for (const site of ['google', 'openid'] as const) {
      await newBrowser().signIn(site, 'alice');
      identity.rotateKeys();
      expect(await newBrowser().signIn(site, 'alice')).toBe(APP);
    }
  });

  it('is completed by the user info when it has no e-mail address', async () => {
    introduce('thin', { trouble: 'thin token', name: 'Thin Person' });
    const browser = newBrowser();
    expect(await browser.signIn('openid', 'thin')).toBe(APP);
    expect(await browser.user()).toMatchObject({ email: 'thin@example.com', name: 'Thin Person', emailVerified: true });
  });

  it('is not completed by the user info of another subject', async () => {
    introduce('confused', { trouble: 'another subject' });
    expect(await newBrowser().signIn('openid', 'confused')).toBe(refusedBy('failed'));
  });

  it('may give email_verified as a string', async () => {
    introduce('wordy', { verified: 'true' });
    const browser = newBrowser();
    await browser.signIn('openid', 'wordy');
    expect(await browser.user()).toMatchObject({ emailVerified: true });
  });
});

describe('an OpenID provider', () => {
  it('refuses sign-ins when it is down, and the server starts without it', async () => {
    identity.openid.isDown = true;
    await withServer({}, async ({ url }) => {
      const browser = createOAuthBrowser(url);
      const away = locationOf(await browser.visit('/oauth/openid')).href;
      expect(away).toBe(refusedBy('unreachable'));
      identity.openid.isDown = false;
      expect(await browser.signIn('openid', 'alice')).toBe(APP);
    });
  });

  it('is asked for its discovery document once', async () => {
    await withServer({}, async ({ url }) => {
      const before = identity.calls.length;
      for (let time = 0; time < 2; time += 1) await createOAuthBrowser(url).signIn('openid', 'alice');
      const asked = identity.calls.slice(before).filter((call) => call.includes('.well-known'));
      expect(asked).toHaveLength(1);
    });
  });

  it('is refused with another issuer in its discovery document', async () => {
    identity.openid.issuer = 'https://other.example';
    await withServer({}, async ({ url }) => {
      const away = locationOf(await createOAuthBrowser(url).visit('/oauth/openid')).href;
      expect(away).toBe(refusedBy('failed'));
    });
  });

  it.each([['/'], ['/.well-known/openid-configuration']])('may be configured with %s at the end', async (end) => {
    await withServer({ OPENID_ISSUER: `${identity.env.OPENID_ISSUER}${end}` }, async ({ url }) => {
      expect(await createOAuthBrowser(url).signIn('openid', 'alice')).toBe(APP);
    });
  });

  it('receives the secret only in the form when it takes it there', async () => {
    identity.openid.auth = ['post'];
    await withServer({}, async ({ url }) => {
      expect(await createOAuthBrowser(url).signIn('openid', 'alice')).toBe(APP);
    });
  });
});

describe('a token response', () => {
  // Twitch lists the scopes.
  it.each([
    { scope: ['openid', 'email'] },
    { scope: null, refresh_token: null, expires_in: null },
    { token_type: undefined },
    { expires_in: '3600' },
  ])('with %j is accepted', async (tokenFields) => {
    Object.assign(identity.openid, { tokenFields });
    expect(await newBrowser().signIn('openid', 'alice')).toBe(APP);
  });

  it.each([{ id_token: undefined }, { id_token: null }, { access_token: undefined }, { access_token: 7 }])(
    'with %j is refused',
    async (tokenFields) => {
      Object.assign(identity.openid, { tokenFields });
      expect(await newBrowser().signIn('openid', 'alice')).toBe(refusedBy('failed'));
    },
  );
});

describe('a role required by OpenID', () => {
  const role = { OPENID_REQUIRED_ROLE: 'staff', OPENID_REQUIRED_ROLE_PARAMETER_PATH: 'realm_access.roles' };

  it.each(['id', 'access'])('in the %s token admits its holders only', async (kind) => {
    await withServer({ ...role, OPENID_REQUIRED_ROLE_TOKEN_KIND: kind }, async ({ url }) => {
      expect(await createOAuthBrowser(url).signIn('openid', 'alice')).toBe(APP);
      expect(await createOAuthBrowser(url).signIn('openid', 'bob')).toBe(refusedBy('no_role'));
    });
  });

  it.each([
    ['opaque', refusedBy('no_role')],
    ['forged', refusedBy('failed')],
    ['foreign', APP],
  ] as const)('in an access token that is %s', async (accessToken, end) => {
    identity.openid.accessToken = accessToken;
    await withServer({ ...role, OPENID_REQUIRED_ROLE_TOKEN_KIND: 'access' }, async ({ url }) => {
      expect(await createOAuthBrowser(url).signIn('openid', 'alice')).toBe(end);
    });
  });
});

describe('an existing account with the same e-mail address', () => {
  it('goes to the verified owner when it was never verified, and loses its password, sessions and links', async () => {
    const stranger = await register('alice@example.com');
    const bearer = { authorization: stranger.headers.get('authorization') ?? '' };
    const strangersCookie = stranger.headers.get('set-cookie')?.split(';')[0] ?? '';
    const before = await rowOf('alice@example.com');
    const userId = before?.id ?? '';
    await server.db.query.insert(identities).values({ provider: 'elsewhere', subject: 'stranger', userId });
    await server.db.query.insert(userKeys).values({ userId, name: 'Mine', encrypted: 'x' });
    expect((await send(server.url, 'GET', '/api/user', undefined, bearer)).status).toBe(200);

    const browser = newBrowser();
    expect(await browser.signIn('google', 'alice')).toBe(`${APP}c/new?reclaimed`);
    expect(await browser.user()).toMatchObject({ id: userId, provider: 'local', emailVerified: true });
    expect((await rowOf('alice@example.com'))?.passwordHash).toBeNull();
    expect((await send(server.url, 'GET', '/api/user', undefined, bearer)).status).toBe(401);
    const refreshed = await send(server.url, 'POST', '/api/auth/refresh', undefined, { cookie: strangersCookie });
    expect(refreshed.status).toBe(401);
    const again = { email: 'alice@example.com', password: PASSWORD };
    expect((await send(server.url, 'POST', '/api/auth/login', again)).status).toBe(422);
    const left = await server.db.query.select().from(identities).where(eq(identities.userId, userId));
    expect(left.map(({ provider }) => provider)).toEqual([`${identity.url}/google`]);
    expect(await server.db.query.select().from(userKeys).where(eq(userKeys.userId, userId))).toEqual([]);
  });

  it('keeps its password and its sessions when it is verified', async () => {
    const registered = await register('alice@example.com');
    await server.db.query.update(users).set({ emailVerified: true }).where(eq(users.email, 'alice@example.com'));
    expect(await newBrowser().signIn('github', 'alice')).toBe(APP);
    const login = await send(server.url, 'POST', '/api/auth/login', { email: 'alice@example.com', password: PASSWORD });
    expect(login.status).toBe(200);
    const bearer = { authorization: registered.headers.get('authorization') ?? '' };
    expect((await send(server.url, 'GET', '/api/user', undefined, bearer)).status).toBe(200);
  });

  it.each<[SignInSite, string]>([
    ['google', 'bob'],
    ['github', 'bob'],
    ['discord', 'bob'],
    ['openid', 'bob'],
    ['facebook', 'alice'],
  ])('is not linked when %s does not verify the address', async (site, name) => {
    await register(`${name}@example.com`);
    const browser = newBrowser();
    expect(await browser.signIn(site, name)).toBe(refusedBy('email_taken'));
    expect(await browser.user()).toBeNull();
    expect((await rowOf(`${name}@example.com`))?.passwordHash).not.toBeNull();
  });

  it('is linked to every site that verifies the address', async () => {
    const ids = [];
    for (const site of ['google', 'github', 'discord', 'openid'] as const) {
      const browser = newBrowser();
      await browser.signIn(site, 'alice');
      ids.push((await browser.user())?.id);
    }
    expect(new Set(ids).size).toBe(1);
    expect(await server.db.query.select().from(identities)).toHaveLength(4);
  });

  it('is found whatever the case of the address', async () => {
    introduce('shouting', { email: 'ALICE@Example.COM' });
    await register('alice@example.com');
    const browser = newBrowser();
    await browser.signIn('google', 'shouting');
    expect(await browser.user()).toMatchObject({ email: 'alice@example.com' });
  });

  it('is linked as soon as the site verifies the address', async () => {
    introduce('late', { verified: false });
    await newBrowser().signIn('discord', 'late');
    expect(await rowOf('late@example.com')).toMatchObject({ emailVerified: false });
    introduce('late', { verified: true });
    await newBrowser().signIn('discord', 'late');
    expect(await rowOf('late@example.com')).toMatchObject({ emailVerified: true });
  });
});

describe('a new user', () => {
  it('gets one account when signing in twice at once', async () => {
    introduce('hasty');
    const browsers = [newBrowser(), newBrowser(), newBrowser(), newBrowser()];
    const sites = ['google', 'google', 'github', 'discord'] as const;
    const backs = await Promise.all(browsers.map((browser, at) => browser.leave(sites[at] ?? 'google', 'hasty')));
    const ends = await Promise.all(
      browsers.map(async (browser, at) => locationOf(await browser.comeBack(backs[at] ?? new URL(APP))).href),
    );
    expect(ends).toEqual([APP, APP, APP, APP]);
    expect(await server.db.query.select().from(users)).toHaveLength(1);
    expect(await server.db.query.select().from(identities)).toHaveLength(3);
  });

  it('is refused when registration by sites is off, while existing users sign in', async () => {
    await withServer({ ALLOW_SOCIAL_REGISTRATION: 'false' }, async (closed) => {
      const browser = createOAuthBrowser(closed.url);
      expect(await browser.signIn('google', 'alice')).toBe(refusedBy('no_account'));
      await register('alice@example.com', closed);
      expect(await browser.signIn('google', 'alice')).toBe(`${APP}c/new?reclaimed`);
    });
  });

  it('follows the rules of registration: approval, and an invitation where it is closed', async () => {
    const set = ({ db }: TestServer, mode: string) => {
      const value = db.sql.json({ mode, allowedDomains: [] });
      return db.sql`insert into server_settings (name, value) values ('registration', ${value})`;
    };
    await withServer({}, async (strict) => {
      await set(strict, 'approval');
      await register('first@example.com', strict);
      const browser = createOAuthBrowser(strict.url);
      for (let time = 0; time < 2; time += 1)
        expect(await browser.signIn('google', 'alice')).toBe(`${HOME}/login?error=account_waiting`);
      expect(browser.cookies.has('refreshToken')).toBe(false);
      await strict.db.query.update(users).set({ state: 'disabled' }).where(eq(users.email, 'alice@example.com'));
      expect(await browser.signIn('google', 'alice')).toBe(`${HOME}/login?error=account_disabled`);
      await strict.db.query.update(users).set({ state: 'active' }).where(eq(users.email, 'alice@example.com'));
      expect(await browser.signIn('google', 'alice')).toBe(APP);
    });
    await withServer({}, async (closed) => {
      await set(closed, 'closed');
      await register('first@example.com', closed);
      const { link } = await closed.db.query.transaction((tx) =>
        createInvitation(tx, HOME, { email: null, role: 'USER', expiresInDays: 1, createdBy: null }),
      );
      const { search } = new URL(link);
      expect(await createOAuthBrowser(closed.url).signIn('google', 'alice')).toBe(refusedBy('no_account'));
      expect(await createOAuthBrowser(closed.url).signIn('google', 'alice', search)).toBe(APP);
      introduce('late');
      const late = createOAuthBrowser(closed.url).signIn('google', 'late', search);
      expect(await late).toBe(`${HOME}/login?error=invalid_invitation`);
    });
  });

  it("becomes the administrator when they are the first, and can't sign in with a password", async () => {
    await withServer({}, async ({ url }) => {
      const browser = createOAuthBrowser(url);
      await browser.signIn('google', 'alice');
      expect(await browser.user()).toMatchObject({ role: 'ADMIN' });
      const login = await send(url, 'POST', '/api/auth/login', { email: 'alice@example.com', password: PASSWORD });
      expect(login.status).toBe(422);
    });
  });

  it('needs an allowed domain, as do existing users', async () => {
    const yaml = 'version: 1.0.7\nregistration: { allowedDomains: [elsewhere.example] }\n';
    const test = async ({ url, db }: TestServer) => {
      const browser = createOAuthBrowser(url);
      const refused = `${HOME}/login?error=email_domain_not_allowed`;
      expect(await browser.signIn('google', 'alice')).toBe(refused);
      introduce('welcome', { email: 'welcome@elsewhere.example' });
      expect(await browser.signIn('google', 'welcome')).toBe(APP);
      await db.query.update(users).set({ email: 'welcome@example.com' });
      expect(await browser.signIn('google', 'welcome')).toBe(refused);
    };
    await withServer({}, test, yaml);
  });

  it('gets a valid name, whatever the site returns', async () => {
    introduce('short', { name: 'Al', login: 'a b/c', email: 'shorty@example.com' });
    introduce('long', { name: `${'x'.repeat(78)}\u{1f600} and more`, login: 'L'.repeat(40) });
    const [short, long] = [newBrowser(), newBrowser()];
    await short.signIn('openid', 'short');
    await long.signIn('openid', 'long');
    expect(await short.user()).toMatchObject({ name: 'shorty', username: 'abc' });
    expect(await long.user()).toMatchObject({ name: 'x'.repeat(78), username: 'l'.repeat(19) });
  });
});

describe('a banned user', () => {
  const soon = () => new Date(Date.now() + 60_000).toISOString();

  it('sees the ban and gets no session', async () => {
    await newBrowser().signIn('google', 'alice');
    await server.db.query.update(users).set({ bannedUntil: soon() });
    const browser = newBrowser();
    expect(await browser.signIn('google', 'alice')).toBe(`${HOME}/login?error=banned`);
    expect(browser.cookies.has('refreshToken')).toBe(false);
  });

  it('cannot sign in by another site', async () => {
    await register('alice@example.com');
    await server.db.query.update(users).set({ bannedUntil: soon() });
    expect(await newBrowser().signIn('google', 'alice')).toBe(`${HOME}/login?error=banned`);
    expect(await server.db.query.select().from(identities)).toEqual([]);
  });

  it('sees the ban of the network', async () => {
    await withServer({ BAN_VIOLATIONS: 'true' }, async ({ url, db }) => {
      await db.sql`insert into network_bans (network, until) values ('127.0.0.1', now() + interval '1 hour')`;
      expect(await createOAuthBrowser(url).signIn('google', 'alice')).toBe(`${HOME}/login?error=banned`);
    });
  });
});

describe('a profile image from a site', () => {
  let images: Server;
  let address: string;
  let asked: string[];
  let own: TestServer;
  /** Endless bodies that somebody reads. */
  let pouring = 0;
  const pour = (response: ServerResponse) => {
    pouring++;
    response.once('close', () => pouring--);
    response.writeHead(200, { 'content-type': 'image/png' });
    const more = () => void response.write(Buffer.alloc(64 * 1024));
    response.on('drain', more);
    more();
  };
  beforeAll(async () => {
    asked = [];
    images = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/away') return void response.writeHead(302, { location: '/778899' }).end();
      if (request.url === '/endless') return void pour(response);
      const [, colour = ''] = /^\/([\da-f]{6})\b/.exec(request.url ?? '') ?? [];
      if (colour === '') return void response.writeHead(200, { 'content-type': 'image/png' }).end('<svg/>');
      const create = { width: 300, height: 200, channels: 3 as const, background: `#${colour}` };
      void sharp({ create })
        .png()
        .toBuffer()
        .then((bytes) => response.end(bytes));
    });
    await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve));
    const { port } = images.address() as AddressInfo;
    address = `http://127.0.0.1:${port}`;
    const env = { ...OPEN, ...identity.env, EGRESS_ALLOWED_HOSTS: `127.0.0.1:${port}` };
    own = await startTestServer({ env });
  });
  afterAll(async () => {
    await own?.close();
    images.close();
  });
  beforeEach(async () => {
    await own.db.query.delete(users);
    asked.length = 0;
  });

  const avatarOf = async (name: string) => {
    const email = `${name}@example.com`;
    const [row] = await own.db.query.select().from(users).where(eq(users.email, email));
    return row?.avatar ?? null;
  };
  const signIn = (name: string) => createOAuthBrowser(own.url).signIn('google', name);

  it('is fetched once and stored, and fetched again when it changes', async () => {
    introduce('pretty', { picture: `${address}/336699?size=96` });
    await signIn('pretty');
    await expect.poll(() => avatarOf('pretty')).toMatch(/^\/images\/[\da-f-]{36}\/[\da-f-]{36}__avatar\.png$/);
    const first = await avatarOf('pretty');
    await signIn('pretty');
    introduce('pretty', { picture: `${address}/993366` });
    await signIn('pretty');
    await expect.poll(() => avatarOf('pretty')).not.toBe(first);
    expect(asked).toEqual(['/336699?size=96', '/993366']);
    const [file] = await own.db.query.select().from(files);
    expect(file).toMatchObject({ context: 'avatar', width: 150, height: 150, expiresAt: null });
  });

  it('does not replace one that the user has chosen', async () => {
    introduce('chooser', {});
    await signIn('chooser');
    await own.db.query.update(users).set({ avatar: '/images/own.png?manual=true' });
    introduce('chooser', { picture: `${address}/336699` });
    await signIn('chooser');
    introduce('another', { picture: `${address}/112233` });
    await signIn('another');
    await expect.poll(() => avatarOf('another')).not.toBeNull();
    expect(asked).toEqual(['/112233']);
    expect(await avatarOf('chooser')).toBe('/images/own.png?manual=true');
  });

  it('stays away once the user has taken it away', async () => {
    introduce('remover', { picture: `${address}/336699` });
    await signIn('remover');
    await expect.poll(() => avatarOf('remover')).not.toBeNull();
    const [remover] = await own.db.query.select().from(users);
    await removeAvatar(own, remover?.id ?? '');
    expect((await own.db.query.select().from(users)).map((row) => presentUser(row).avatar)).toEqual([null]);
    for (const colour of ['336699', '993366']) {
      introduce('remover', { picture: `${address}/${colour}` });
      await signIn('remover');
    }
    introduce('another', { picture: `${address}/112233` });
    await signIn('another');
    await expect.poll(() => avatarOf('another')).not.toBeNull();
    expect(asked).toEqual(['/336699', '/112233']);
  });

  it.each([
    () => 'http://pictures.example/1.png',
    () => 'javascript:alert(1)',
    () => `https://x.example/${'x'.repeat(2_000)}`,
    () => 'x',
    () => 'http://169.254.169.254/latest/meta-data',
    () => 'https://localhost/1.png',
    () => `${address}/no-image`,
    () => `${address}/away`,
    () => `${address}/endless`,
  ])('that is invalid or forbidden is ignored (%#)', async (image) => {
    introduce('plain', { picture: image() });
    await signIn('plain');
    // Later than the refused one: each is fetched on its own.
    introduce('later', { picture: `${address}/445566` });
    await signIn('later');
    await expect.poll(() => avatarOf('later')).not.toBeNull();
    // The endless one is given up, and no redirect is followed.
    await expect.poll(() => pouring).toBe(0);
    expect(asked).not.toContain('/778899');
    expect(await avatarOf('plain')).toBeNull();
  });
});

describe('the redirect to a site', () => {
  it('has the rate limit of signing in', async () => {
    await withServer({ LOGIN_MAX: '3' }, async ({ url }) => {
      const browser = createOAuthBrowser(url);
      expect(await browser.signIn('google', 'alice')).toBe(APP);
      await browser.visit('/oauth/google');
      const response = await browser.visit('/oauth/google');
      expect(locationOf(response).href).toBe(`${HOME}/login?error=too_many_attempts`);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });

  it('sets a cookie with the __Host- prefix when the site uses https', async () => {
    await withServer({ DOMAIN_SERVER: 'https://parley.test' }, async ({ url }) => {
      const browser = createOAuthBrowser(url);
      const response = await browser.visit('/oauth/google');
      expect(response.headers.get('set-cookie')).toMatch(
        /^__Host-oauth-state=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/,
      );
      const end = locationOf(await browser.comeBack(await browser.leave('google', 'alice'))).href;
      expect(end).toBe('https://parley.test/');
    });
  });

  it.each(['/signed-in/github', 'https://other.example/signed-in/github'])('may return to %s', async (callback) => {
    await withServer({ GITHUB_CALLBACK_URL: callback }, async ({ url }) => {
      const browser = createOAuthBrowser(url);
      const back = await browser.leave('github', 'alice');
      expect(back.origin + back.pathname).toBe(new URL(callback, HOME).href);
      expect(locationOf(await browser.comeBack(back)).href).toBe(APP);
    });
  });

  it.each<SignInSite>(['github', 'openid'])('may return from %s to an address with a query', async (site) => {
    await withServer({ [`${site.toUpperCase()}_CALLBACK_URL`]: '/signed-in?by=site' }, async ({ url }) => {
      const browser = createOAuthBrowser(url);
      expect(await browser.signIn(site, 'alice')).toBe(APP);
    });
  });

  it('answers a disabled or unknown site with the status of any unknown path', async () => {
    await withServer({ GITHUB_CLIENT_ID: '' }, async ({ url }) => {
      const unknown = await fetch(`${url}/nowhere`, { redirect: 'manual' });
      for (const path of ['/oauth/github', '/oauth/github/callback?code=1', '/oauth/unknown', '/oauth/constructor']) {
        const response = await fetch(url + path, { redirect: 'manual' });
        expect(response.status).toBe(unknown.status);
        expect(response.headers.get('set-cookie')).toBeNull();
      }
    });
  });
});

describe('an account with a second factor', () => {
  // A step of the clock must not end between a code and its proof.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
  afterEach(() => void vi.useRealTimers());

  const after = { FACTOR_AFTER_OAUTH: 'true', ALLOW_EMAIL_LOGIN: 'false' };

  it('is opened by the site alone, unless the operator asks for the factor as well', async () => {
    introduce('factored');
    await addApp(server);
    const browser = newBrowser();
    expect(await browser.signIn('github', 'factored')).toBe(APP);
    expect(await browser.user()).toMatchObject({ email: 'factored@example.com' });

    await withServer(after, async (own) => {
      const secret = await addApp(own);
      const asked = createOAuthBrowser(own.url);
      const { pathname, search, hash } = new URL(await asked.signIn('github', 'factored'));
      expect([pathname, search]).toEqual(['/login', '']);
      const { ticket = '', kinds } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
      expect(kinds).toBe('totp');
      expect(asked.cookies.has('refreshToken')).toBe(false);
      const prove = (code: string) => call(own, 'auth.factors.prove', { ticket, code });
      expect(await prove('000000')).toMatchObject({ error: { data: { reason: { type: 'wrong_code' } } } });
      expect(await prove(authenticatorCode(secret))).toMatchObject({
        result: { data: { user: { email: 'factored@example.com' } } },
      });
      expect(await prove(authenticatorCode(secret, 1))).toMatchObject({
        error: { data: { reason: { type: 'sign_in_again' } } },
      });
    });
  });

  it('loses it to the owner of the address when somebody else made it', async () => {
    introduce('owner');
    const registered = await register('owner@example.com');
    await addApp(server, registered.headers.get('authorization') ?? '');
    const browser = newBrowser();
    expect(await browser.signIn('github', 'owner')).toBe(`${HOME}/c/new?reclaimed`);
    expect(await server.db.query.select().from(factors)).toEqual([]);
  });
});

async function call(at: TestServer, name: string, input: unknown, authorization = ''): Promise<unknown> {
  return (await send(at.url, 'POST', `/trpc/${name}`, input, authorization ? { authorization } : {})).json();
}

/** Switches two-step sign-in on for a bearer, or for the person whom `factored` becomes; the secret of the app. */
async function addApp(at: TestServer, bearer?: string): Promise<string> {
  const authorization = bearer ?? `Bearer ${await tokenOf(at)}`;
  const begun = (await call(at, 'auth.factors.beginApp', undefined, authorization)) as {
    result: { data: { id: string; secret: string } };
  };
  const { id, secret } = begun.result.data;
  const code = authenticatorCode(secret, -1);
  expect(await call(at, 'auth.factors.confirmApp', { id, code }, authorization)).toHaveProperty('result');
  return secret;
}

async function tokenOf(at: TestServer): Promise<string> {
  const browser = createOAuthBrowser(at.url);
  await browser.signIn('github', 'factored');
  const cookie = `refreshToken=${browser.cookies.get('refreshToken') ?? ''}`;
  const response = await send(at.url, 'POST', '/api/auth/refresh', undefined, { cookie });
  return ((await response.json()) as { token: string }).token;
}
