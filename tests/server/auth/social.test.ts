// Signing in by other sites, over HTTP, against sites that are as strict as the real ones.
import { identities, users } from '@parley/db/tables/users';
import { userKeys } from '@parley/db/tables/user-keys';
import { startFakeIdentity, type FakeIdentity, type SiteName, type Trouble } from '@parley/scripts/fake-identity';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD, send } from '../../rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { createTraveller, locationOf } from './traveller.ts';

const SITES: SiteName[] = ['google', 'facebook', 'github', 'discord', 'openid'];
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
  Object.assign(identity.openid, { isDown: false, auth: ['basic', 'post'], issuer: null, accessToken: 'jwt' });
});

const traveller = () => createTraveller(server.url);
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
  it('brings a new person into the app, and the same one ever after', async () => {
    const first = traveller();
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
    expect(user?.avatar).toMatch(/^https:\/\//);
    expect(first.cookies.has('journey')).toBe(false);

    const second = traveller();
    expect(await second.signIn(site, 'alice')).toBe(APP);
    expect((await second.user())?.id).toBe(user?.id);
    expect(second.cookies.get('refreshToken')).not.toBe(first.cookies.get('refreshToken'));
  });

  it('sends back who says no, quietly, and the journey is over', async () => {
    introduce('reluctant', { trouble: 'denies' });
    const browser = traveller();
    const back = await browser.leave(site, 'reluctant');
    const response = await browser.comeBack(back);
    expect(locationOf(response).href).toBe(refusedBy('cancelled'));
    expect(response.headers.get('set-cookie')).toContain('journey=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
    expect(await browser.user()).toBeNull();
  });

  it('lets in nobody without an e-mail address', async () => {
    const browser = traveller();
    expect(await browser.signIn(site, 'carol')).toBe(refusedBy('no_email'));
    expect(await browser.user()).toBeNull();
  });

  it('is told where to send people back, in whose name, and no secret', async () => {
    const away = locationOf(await traveller().visit(`/oauth/${site}`));
    expect(away.origin).toBe(identity.url);
    expect(away.searchParams.get('redirect_uri')).toBe(`${HOME}/oauth/${site}/callback`);
    expect(away.href).not.toContain('secret');
    expect(away.searchParams.has('nonce')).toBe(site === 'google' || site === 'openid');
  });

  it.each<[Trouble, string]>([
    ['fails', 'unreachable'],
    ['page', 'failed'],
    ['huge', 'failed'],
  ])('whose token endpoint has the trouble "%s"', async (trouble, why) => {
    introduce('unlucky', { trouble });
    expect(await traveller().signIn(site, 'unlucky')).toBe(refusedBy(why));
  });

  it('refuses a code that was used before', async () => {
    const [browser, other] = [traveller(), traveller()];
    const back = await browser.leave(site, 'alice');
    const journey = browser.cookies.get('journey') ?? '';
    expect(locationOf(await browser.comeBack(back)).href).toBe(APP);
    other.cookies.set('journey', journey);
    expect(locationOf(await other.comeBack(back)).href).toBe(refusedBy('failed'));
  });
});

describe('coming back', () => {
  it('without having left is refused', async () => {
    const back = await traveller().leave('github', 'alice');
    const stranger = traveller();
    expect(locationOf(await stranger.comeBack(back)).href).toBe(refusedBy('expired'));
    expect(await stranger.user()).toBeNull();
  });

  it('with the state of another journey is refused, and ends this one', async () => {
    const theirs = await traveller().leave('github', 'alice');
    const browser = traveller();
    const own = await browser.leave('github', 'alice');
    expect(locationOf(await browser.comeBack(theirs)).href).toBe(refusedBy('expired'));
    expect(locationOf(await browser.comeBack(own)).href).toBe(refusedBy('expired'));
  });

  it('from another site than one left for is refused', async () => {
    const browser = traveller();
    const back = await browser.leave('github', 'alice');
    back.pathname = '/oauth/discord/callback';
    expect(locationOf(await browser.comeBack(back)).href).toBe(refusedBy('expired'));
  });

  it('with a cookie that was written by somebody else is refused', async () => {
    const browser = traveller();
    const back = await browser.leave('github', 'alice');
    const [head, , signature] = (browser.cookies.get('journey') ?? '').split('.');
    const claims = { provider: 'github', typ: 'journey', aud: 'parley', state: 'mine', verifier: 'x', nonce: 'x' };
    const forged = Buffer.from(JSON.stringify({ ...claims, exp: 99999999999 })).toString('base64url');
    browser.cookies.set('journey', `${head}.${forged}.${signature}`);
    back.searchParams.set('state', 'mine');
    expect(locationOf(await browser.comeBack(back)).href).toBe(refusedBy('expired'));
  });

  it('with nothing at all is refused like everything else', async () => {
    const browser = traveller();
    await browser.leave('github', 'alice');
    const state = new URL(await browser.leave('github', 'alice')).searchParams.get('state');
    expect(locationOf(await browser.visit(`/oauth/github/callback?state=${state}`)).href).toBe(refusedBy('failed'));
    expect(locationOf(await browser.visit('/oauth/github/callback')).href).toBe(refusedBy('expired'));
  });

  it('always begins a new session', async () => {
    const browser = traveller();
    browser.cookies.set('refreshToken', 'planted');
    await browser.signIn('google', 'alice');
    expect(browser.cookies.get('refreshToken')).not.toBe('planted');
    expect(await browser.user()).not.toBeNull();
  });

  it('is never kept by a cache', async () => {
    const browser = traveller();
    const response = await browser.comeBack(await browser.leave('google', 'alice'));
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });
});

describe('an ID token', () => {
  it.each<Trouble>([
    'wrong nonce',
    'wrong audience',
    'wrong issuer',
    'expired',
    'alg none',
    'alg HS256',
    'forged',
    'mix-up',
  ])('with the trouble "%s" lets nobody in', async (trouble) => {
    introduce('troubled', { trouble });
    for (const site of ['google', 'openid'] as const)
      expect(await traveller().signIn(site, 'troubled')).toBe(refusedBy('failed'));
    expect(await rowOf('troubled@example.com')).toBeUndefined();
  });

  it('signed with a new key is good at once', async () => {
    for (const site of ['google', 'openid'] as const) {
      await traveller().signIn(site, 'alice');
      identity.rotateKeys();
      expect(await traveller().signIn(site, 'alice')).toBe(APP);
    }
  });

  it('without an e-mail address is completed by the user info', async () => {
    introduce('thin', { trouble: 'thin token', name: 'Thin Person' });
    const browser = traveller();
    expect(await browser.signIn('openid', 'thin')).toBe(APP);
    expect(await browser.user()).toMatchObject({ email: 'thin@example.com', name: 'Thin Person', emailVerified: true });
  });

  it('is not completed by the user info of somebody else', async () => {
    introduce('confused', { trouble: 'another subject' });
    expect(await traveller().signIn('openid', 'confused')).toBe(refusedBy('failed'));
  });

  it('may say in a word that the address is verified', async () => {
    introduce('wordy', { verified: 'true' });
    const browser = traveller();
    await browser.signIn('openid', 'wordy');
    expect(await browser.user()).toMatchObject({ emailVerified: true });
  });
});

describe('an OpenID provider', () => {
  it('that is down lets nobody in, and the server starts without it', async () => {
    identity.openid.isDown = true;
    await withServer({}, async ({ url }) => {
      const browser = createTraveller(url);
      const away = locationOf(await browser.visit('/oauth/openid')).href;
      expect(away).toBe(refusedBy('unreachable'));
      identity.openid.isDown = false;
      expect(await browser.signIn('openid', 'alice')).toBe(APP);
    });
  });

  it('is asked for its addresses once', async () => {
    await withServer({}, async ({ url }) => {
      const before = identity.calls.length;
      for (let time = 0; time < 2; time += 1) await createTraveller(url).signIn('openid', 'alice');
      const asked = identity.calls.slice(before).filter((call) => call.includes('.well-known'));
      expect(asked).toHaveLength(1);
    });
  });

  it('that describes another issuer is not believed', async () => {
    identity.openid.issuer = 'https://other.example';
    await withServer({}, async ({ url }) => {
      const away = locationOf(await createTraveller(url).visit('/oauth/openid')).href;
      expect(away).toBe(refusedBy('failed'));
    });
  });

  it.each([['/'], ['/.well-known/openid-configuration']])('may be named with %s at the end', async (end) => {
    await withServer({ OPENID_ISSUER: `${identity.env.OPENID_ISSUER}${end}` }, async ({ url }) => {
      expect(await createTraveller(url).signIn('openid', 'alice')).toBe(APP);
    });
  });

  it('that takes the secret in the form only gets it there', async () => {
    identity.openid.auth = ['post'];
    await withServer({}, async ({ url }) => {
      expect(await createTraveller(url).signIn('openid', 'alice')).toBe(APP);
    });
  });
});

describe('a role that OpenID demands', () => {
  const role = { OPENID_REQUIRED_ROLE: 'staff', OPENID_REQUIRED_ROLE_PARAMETER_PATH: 'realm_access.roles' };

  it.each(['id', 'access'])('in the %s token lets in who has it, and nobody else', async (kind) => {
    await withServer({ ...role, OPENID_REQUIRED_ROLE_TOKEN_KIND: kind }, async ({ url }) => {
      expect(await createTraveller(url).signIn('openid', 'alice')).toBe(APP);
      expect(await createTraveller(url).signIn('openid', 'bob')).toBe(refusedBy('no_role'));
    });
  });

  it.each([
    ['opaque', refusedBy('no_role')],
    ['forged', refusedBy('failed')],
    ['foreign', APP],
  ] as const)('in an access token that is %s', async (accessToken, end) => {
    identity.openid.accessToken = accessToken;
    await withServer({ ...role, OPENID_REQUIRED_ROLE_TOKEN_KIND: 'access' }, async ({ url }) => {
      expect(await createTraveller(url).signIn('openid', 'alice')).toBe(end);
    });
  });
});

describe('an account with the same e-mail address', () => {
  it('that nobody had proven goes to who proves it, with all that opened it gone', async () => {
    const stranger = await register('alice@example.com');
    const bearer = { authorization: stranger.headers.get('authorization') ?? '' };
    const strangersCookie = stranger.headers.get('set-cookie')?.split(';')[0] ?? '';
    const before = await rowOf('alice@example.com');
    const userId = before?.id ?? '';
    await server.db.query.insert(identities).values({ provider: 'elsewhere', subject: 'stranger', userId });
    await server.db.query.insert(userKeys).values({ userId, name: 'Mine', sealed: 'x' });
    expect((await send(server.url, 'GET', '/api/user', undefined, bearer)).status).toBe(200);

    const browser = traveller();
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

  it('that is proven keeps its password and its sessions', async () => {
    const registered = await register('alice@example.com');
    await server.db.query.update(users).set({ emailVerified: true }).where(eq(users.email, 'alice@example.com'));
    expect(await traveller().signIn('github', 'alice')).toBe(APP);
    const login = await send(server.url, 'POST', '/api/auth/login', { email: 'alice@example.com', password: PASSWORD });
    expect(login.status).toBe(200);
    const bearer = { authorization: registered.headers.get('authorization') ?? '' };
    expect((await send(server.url, 'GET', '/api/user', undefined, bearer)).status).toBe(200);
  });

  it.each<[SiteName, string]>([
    ['google', 'bob'],
    ['github', 'bob'],
    ['discord', 'bob'],
    ['openid', 'bob'],
    ['facebook', 'alice'],
  ])('is not given away where %s does not say whose address it is', async (site, name) => {
    await register(`${name}@example.com`);
    const browser = traveller();
    expect(await browser.signIn(site, name)).toBe(refusedBy('email_taken'));
    expect(await browser.user()).toBeNull();
    expect((await rowOf(`${name}@example.com`))?.passwordHash).not.toBeNull();
  });

  it('is one for all the sites that prove it', async () => {
    const ids = [];
    for (const site of ['google', 'github', 'discord', 'openid'] as const) {
      const browser = traveller();
      await browser.signIn(site, 'alice');
      ids.push((await browser.user())?.id);
    }
    expect(new Set(ids).size).toBe(1);
    expect(await server.db.query.select().from(identities)).toHaveLength(4);
  });

  it('in other letters is the same', async () => {
    introduce('shouting', { email: 'ALICE@Example.COM' });
    await register('alice@example.com');
    const browser = traveller();
    await browser.signIn('google', 'shouting');
    expect(await browser.user()).toMatchObject({ email: 'alice@example.com' });
  });

  it('is proven as soon as the site says so', async () => {
    introduce('late', { verified: false });
    await traveller().signIn('discord', 'late');
    expect(await rowOf('late@example.com')).toMatchObject({ emailVerified: false });
    introduce('late', { verified: true });
    await traveller().signIn('discord', 'late');
    expect(await rowOf('late@example.com')).toMatchObject({ emailVerified: true });
  });
});

describe('a new person', () => {
  it('who comes twice at once becomes one user', async () => {
    introduce('hasty');
    const browsers = [traveller(), traveller(), traveller(), traveller()];
    const sites = ['google', 'google', 'github', 'discord'] as const;
    const backs = await Promise.all(browsers.map((browser, at) => browser.leave(sites[at] ?? 'google', 'hasty')));
    const ends = await Promise.all(
      browsers.map(async (browser, at) => locationOf(await browser.comeBack(backs[at] ?? new URL(APP))).href),
    );
    expect(ends).toEqual([APP, APP, APP, APP]);
    expect(await server.db.query.select().from(users)).toHaveLength(1);
    expect(await server.db.query.select().from(identities)).toHaveLength(3);
  });

  it('is not let in where no accounts are made like this, but who has one is', async () => {
    await withServer({ ALLOW_SOCIAL_REGISTRATION: 'false' }, async (closed) => {
      const browser = createTraveller(closed.url);
      expect(await browser.signIn('google', 'alice')).toBe(refusedBy('no_account'));
      await register('alice@example.com', closed);
      expect(await browser.signIn('google', 'alice')).toBe(`${APP}c/new?reclaimed`);
    });
  });

  it('who is the first of all is the administrator, and cannot sign in by a password', async () => {
    await withServer({}, async ({ url }) => {
      const browser = createTraveller(url);
      await browser.signIn('google', 'alice');
      expect(await browser.user()).toMatchObject({ role: 'ADMIN' });
      const login = await send(url, 'POST', '/api/auth/login', { email: 'alice@example.com', password: PASSWORD });
      expect(login.status).toBe(422);
    });
  });

  it('must be of a domain that is welcome, as everybody who comes back', async () => {
    const yaml = 'version: 1.0.7\nregistration: { allowedDomains: [elsewhere.example] }\n';
    const test = async ({ url, db }: TestServer) => {
      const browser = createTraveller(url);
      const refused = `${HOME}/login?error=email_domain_not_allowed`;
      expect(await browser.signIn('google', 'alice')).toBe(refused);
      introduce('welcome', { email: 'welcome@elsewhere.example' });
      expect(await browser.signIn('google', 'welcome')).toBe(APP);
      await db.query.update(users).set({ email: 'welcome@example.com' });
      expect(await browser.signIn('google', 'welcome')).toBe(refused);
    };
    await withServer({}, test, yaml);
  });

  it('has a name by the rules, whatever the site calls them', async () => {
    introduce('short', { name: 'Al', login: 'a b/c', email: 'shorty@example.com' });
    introduce('long', { name: `${'x'.repeat(78)}\u{1f600} and more`, login: 'L'.repeat(40) });
    const [short, long] = [traveller(), traveller()];
    await short.signIn('openid', 'short');
    await long.signIn('openid', 'long');
    expect(await short.user()).toMatchObject({ name: 'shorty', username: 'abc' });
    expect(await long.user()).toMatchObject({ name: 'x'.repeat(78), username: 'l'.repeat(20) });
  });
});

describe('who is banned', () => {
  const soon = () => new Date(Date.now() + 60_000).toISOString();

  it('is told so and gets no session', async () => {
    await traveller().signIn('google', 'alice');
    await server.db.query.update(users).set({ bannedUntil: soon() });
    const browser = traveller();
    expect(await browser.signIn('google', 'alice')).toBe(`${HOME}/login?error=banned`);
    expect(browser.cookies.has('refreshToken')).toBe(false);
  });

  it('gets no other way in', async () => {
    await register('alice@example.com');
    await server.db.query.update(users).set({ bannedUntil: soon() });
    expect(await traveller().signIn('google', 'alice')).toBe(`${HOME}/login?error=banned`);
    expect(await server.db.query.select().from(identities)).toEqual([]);
  });

  it('as a network is told so', async () => {
    await withServer({ BAN_VIOLATIONS: 'true' }, async ({ url, db }) => {
      await db.sql`insert into network_bans (network, until) values ('127.0.0.1', now() + interval '1 hour')`;
      expect(await createTraveller(url).signIn('google', 'alice')).toBe(`${HOME}/login?error=banned`);
    });
  });
});

describe('a picture', () => {
  it('is renewed at each sign-in, unless its owner has chosen another', async () => {
    introduce('pretty', { picture: 'https://pictures.example/1.png' });
    await traveller().signIn('google', 'pretty');
    introduce('pretty', { picture: 'https://pictures.example/2.png' });
    await traveller().signIn('google', 'pretty');
    expect((await rowOf('pretty@example.com'))?.avatar).toBe('https://pictures.example/2.png');
    await server.db.query.update(users).set({ avatar: '/images/own.png?manual=true' });
    await traveller().signIn('google', 'pretty');
    expect((await rowOf('pretty@example.com'))?.avatar).toBe('/images/own.png?manual=true');
  });

  it.each(['http://pictures.example/1.png', 'javascript:alert(1)', `https://x.example/${'x'.repeat(2_000)}`, 'x'])(
    'at %.30s is none',
    async (picture) => {
      introduce('plain', { picture });
      await traveller().signIn('google', 'plain');
      expect((await rowOf('plain@example.com'))?.avatar).toBeNull();
    },
  );
});

describe('the way there', () => {
  it('is limited as signing in is', async () => {
    await withServer({ LOGIN_MAX: '3' }, async ({ url }) => {
      const browser = createTraveller(url);
      expect(await browser.signIn('google', 'alice')).toBe(APP);
      await browser.visit('/oauth/google');
      const response = await browser.visit('/oauth/google');
      expect(locationOf(response).href).toBe(`${HOME}/login?error=too_many_attempts`);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });

  it('takes a cookie along that only an https site can set, where it is one', async () => {
    await withServer({ DOMAIN_SERVER: 'https://parley.test' }, async ({ url }) => {
      const browser = createTraveller(url);
      const response = await browser.visit('/oauth/google');
      expect(response.headers.get('set-cookie')).toMatch(
        /^__Host-journey=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/,
      );
      const end = locationOf(await browser.comeBack(await browser.leave('google', 'alice'))).href;
      expect(end).toBe('https://parley.test/');
    });
  });

  it.each(['/signed-in/github', 'https://other.example/signed-in/github'])('may end at %s', async (callback) => {
    await withServer({ GITHUB_CALLBACK_URL: callback }, async ({ url }) => {
      const browser = createTraveller(url);
      const back = await browser.leave('github', 'alice');
      expect(back.origin + back.pathname).toBe(new URL(callback, HOME).href);
      expect(locationOf(await browser.comeBack(back)).href).toBe(APP);
    });
  });

  it('to what is switched off, or nothing at all, is as unknown as any other path', async () => {
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
